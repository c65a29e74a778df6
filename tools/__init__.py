"""For those who build Coplay: benchmarks, the fuzzer, other implementations to measure against, pictures of the
pages. A running site needs nothing of this folder, and nothing in `engine`, `webapp` or `workers` imports it but
`manage.py bench`, which says so where it isn't there.
"""
