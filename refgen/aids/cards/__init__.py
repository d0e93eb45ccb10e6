"""Decks of quick-reference cards: the cards of cards.toml, their type, and sheets of paper to cut."""
