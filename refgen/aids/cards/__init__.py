"""Cards: their sizes, how their text is made to fit, and how they are laid on sheets of paper."""
