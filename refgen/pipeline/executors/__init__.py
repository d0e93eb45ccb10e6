"""Where the steps of a build run: in this process, in warm processes beside it, or on a cluster."""
