"""GM screens: what authors write, and the panels that come of it."""
