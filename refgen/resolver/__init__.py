"""Every number that follows from the rules, exact: dice, odds, degrees of success, chains, computed tables."""
