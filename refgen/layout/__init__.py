"""Layout: HTML becomes pages with known places, and pages become PDF."""
