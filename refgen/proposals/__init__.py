"""First files of a game, proposed from its rule documents alone: system.toml, proof.toml and the files of aids."""
