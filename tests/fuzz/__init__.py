"""Fuzzing: real documents and files, damaged at random, are read or refused, within seconds and megabytes.

``python -m tests.fuzz`` (``make fuzz``) tries many inputs of each target and tells what it found. ``test_fuzz.py``
tries a few, the same each time, and every file in ``finds/`` again.
"""
