"""Stage 4: every number that follows from the rules, exact: dice, odds, degrees of success, armies."""
