"""Character sheets: what sheet.toml says, the sheet that it makes, and its fields."""
