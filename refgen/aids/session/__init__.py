"""Session sheets: a page for the table tonight, with the combatants, the party, and what is rolled on."""
