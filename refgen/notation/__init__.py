"""A printed cell becomes a typed value, or a NotationError that says why the cell has none."""
