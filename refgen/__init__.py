"""refgen: rule documents in, checked play aids out."""
