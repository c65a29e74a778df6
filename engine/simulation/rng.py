"""The random numbers of every game: a counter-based integer generator without hidden state.

A number depends only on a key (two 32-bit words) and a counter, so it is the same in plain Python, in numba
on any CPU and in a CUDA kernel. All intermediate values stay below 2**63. Not for secrets.

The mixing function is the two-round xor-shift-multiply hash with the lowest known bias among those whose
multipliers are below 2**31 (search results of C. Wellons' "hash-prospector", 2023).
"""

from __future__ import annotations

from engine.simulation.jit import rule

MASK32 = 0xFFFFFFFF


@rule
def hash32(word):
    """A well mixed 32-bit word from a 32-bit word (a bijection); both in 0 .. 2**32 - 1."""
    word ^= word >> 16
    word = (word * 0x21F0AAAD) & MASK32
    word ^= word >> 15
    word = (word * 0x735A2D97) & MASK32
    return word ^ (word >> 15)


@rule
def random32(key_a, key_b, counter):
    """The 32-bit word number `counter` (0 .. 2**32 - 1) of the stream with this key."""
    return hash32((hash32((key_a + counter) & MASK32) + key_b) & MASK32)


@rule
def below(word, bound):
    """A number in 0 .. bound - 1 (bound up to 2**31) from a 32-bit word; bias at most bound / 2**32."""
    return (word * bound) >> 32


@rule
def derive(key_a, key_b, number):
    """The key (two words) of sub-stream `number` (0 .. 2**32 - 1) of a stream."""
    first = random32(key_a, key_b, number)
    return first, random32(key_b ^ 0x6C078965, key_a, number ^ 0x40000000)


@rule
def put32(state, index, word):
    """Store a 32-bit word in two signed 16-bit fields (or wider ones) of a state record."""
    state[index] = (word >> 16) - 0x8000
    state[index + 1] = (word & 0xFFFF) - 0x8000


@rule
def get32(state, index):
    """Read a 32-bit word stored by `put32`."""
    return (int(state[index]) + 0x8000) << 16 | (int(state[index + 1]) + 0x8000)


def key_from_seed(seed: int) -> tuple[int, int]:
    """The key of a 64-bit seed (any Python int; only its low 64 bits count)."""
    first, second = derive(seed & MASK32, (seed >> 32) & MASK32, 0)
    return int(first), int(second)
