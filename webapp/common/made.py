"""The cache of what can be made again: pictures, streams, sums. Not for what is counted (accounts.limits),
which is to be forgotten for none of these.
"""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

cache = ConnectionProxy(caches, "made")
