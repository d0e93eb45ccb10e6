"""A project that is watched while its author writes: pages at once in the browser, the whole output after them."""
