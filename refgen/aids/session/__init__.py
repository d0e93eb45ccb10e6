"""Session sheets: pages for tonight's game, with the combatants, the party, and the tables to roll on."""
