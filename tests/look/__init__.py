"""Tests of refgen.look."""
