"""What one blow does, and how a fight goes on blow by blow."""
