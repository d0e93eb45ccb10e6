"""Stage 7: play aids: what each kind shows, how it is arranged on pages, and the jobs that make its files."""
