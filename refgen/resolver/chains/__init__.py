"""Tracks of boxes that are marked, and chains of steps that lead from state to state until an end."""
