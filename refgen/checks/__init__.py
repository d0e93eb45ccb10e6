"""Printed numbers compared with the numbers that follow from the rules; a difference is a Finding."""
