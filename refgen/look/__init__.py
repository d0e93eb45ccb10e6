"""The look of a game: colours by what they are for, fonts by role, pictures, and the style sheet made of all these."""
