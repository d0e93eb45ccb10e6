"""The words that refgen itself prints on aids, sheets and pages: one file of stable ids a language."""
