"""What a site costs that has grown: made row by row (`site`), looked at page by page (`measure`), for each
database in a process of its own (`alone`). Not for: what a match costs while it runs
(tools.bench.live).
"""
