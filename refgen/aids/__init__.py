"""Play aids: a folder for each kind of aid, and the protocol by which builds, the site and commands know every kind."""
