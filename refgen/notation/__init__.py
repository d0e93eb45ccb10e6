"""Stage 2: one printed cell becomes one typed value, or a NotationError that says why not."""
