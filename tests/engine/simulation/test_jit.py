"""The cache of compiled code, when several processes fill it at once."""

from __future__ import annotations

import subprocess
import sys

from numba.core.caching import IndexDataCacheFile

import engine.simulation.jit  # noqa: F401 (it makes numba's cache safe for several processes)

WRITE = """
import sys
from numba.core.caching import IndexDataCacheFile
import engine.simulation.jit
file = IndexDataCacheFile(sys.argv[1], "rules", 1)
for number in range(60):
    file.save((sys.argv[2], number), sys.argv[2] * number)
"""


def test_processes_that_compile_at_once_overwrite_nothing_of_each_other(tmp_path):
    names = "abc"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path), name]) for name in names]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    file = IndexDataCacheFile(str(tmp_path), "rules", 1)
    for name in names:
        assert [file.load((name, number)) for number in range(60)] == [name * number for number in range(60)]
