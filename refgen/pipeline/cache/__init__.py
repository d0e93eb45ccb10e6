"""Results of earlier builds, kept for the next build under the hash of all their inputs."""
