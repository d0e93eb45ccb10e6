"""Benchmarks: whole processes against a peer in the same run. They print ratios; they are never tests."""
