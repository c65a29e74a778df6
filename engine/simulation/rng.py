"""The random numbers of every game: a counter-based integer generator without hidden state.

A number depends only on a key (two 32-bit words) and a counter, so it is the same in plain Python, in numba
on any CPU and in a CUDA kernel. All intermediate values stay below 2**63. Not for secrets.

The mixing function is the PCG output hash on 32 bits (Jarzynski and Olano, "Hash Functions for GPU
Rendering", 2020).
"""

from __future__ import annotations

from engine.simulation.jit import rule

MASK32 = 0xFFFFFFFF


@rule
def hash32(value):
    """A well mixed 32-bit word from a 32-bit word (a bijection); both in 0 .. 2**32 - 1."""
    state = (value * 747796405 + 2891336453) & MASK32
    word = (((state >> ((state >> 28) + 4)) ^ state) * 277803737) & MASK32
    return (word >> 22) ^ word


@rule
def random32(key_a, key_b, counter):
    """The 32-bit word number `counter` (0 .. 2**32 - 1) of the stream with this key."""
    return hash32(hash32((key_a + counter) & MASK32) ^ key_b)


@rule
def below(word, bound):
    """A number in 0 .. bound - 1 (bound up to 2**31) from a 32-bit word; bias at most bound / 2**32."""
    return (word * bound) >> 32


@rule
def derive(key_a, key_b, number):
    """The key (two words) of sub-stream `number` of a stream."""
    first = hash32((key_a ^ hash32((number + 0x9E3779B9) & MASK32)) & MASK32)
    second = hash32((key_b + first) & MASK32)
    return first, second


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
    low, high = seed & MASK32, (seed >> 32) & MASK32
    first = hash32(low ^ hash32(high))
    return int(first), int(hash32((high + 0x85EBCA6B + int(first)) & MASK32))
