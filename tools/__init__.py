"""For those who build Coplay: benchmarks, the fuzzer, other implementations of the games, pictures of pages.

A running site needs nothing of this folder. In `engine`, `webapp` and `workers` only `manage.py bench`
imports it, and says so where it isn't there.
"""
