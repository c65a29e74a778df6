"""Other implementations of Overcooked, measured next to ours."""

from __future__ import annotations

from typing import Any

from engine.games.overcooked.kitchen import soup_name
from engine.games.overcooked.layouts import layout_of
from tools.peers import ask


def overcooked_ai(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """The published package through its own environment, in the new dynamics, as it has no others; with
    observations, both lossless encodings. One game at a time.
    """
    layout = layout_of(options["layout"])
    if observations != "none" and options["players"] != 2:
        raise ImportError("it encodes kitchens of two cooks only")
    rows = [list(row) for row in layout.grid]
    for seat, (x, y) in enumerate(layout.starts):
        rows[y][x] = str(seat + 1)
    orders = [{"ingredients": soup_name(soup).split()} for soup in layout.orders]
    theirs = {"grid": "\n".join("".join(row) for row in rows), "start_all_orders": orders}
    return ask("overcooked-ai", do="bench", layout=theirs, views=observations != "none")["steps_per_second"]


def jaxmarl(options: dict[str, Any], observations: str, batch: int, seconds: float) -> float:
    """JaxMARL's first Overcooked, jitted, at our batch size or at 64, whichever is faster; with observations,
    both.
    """
    layout = layout_of(options["layout"])
    if options["players"] != 2 or options["dynamics"] != "old" or any("T" in row for row in layout.grid):
        raise ImportError("it has two cooks, the old dynamics and onions only")
    kitchen = {"grid": layout.grid, "starts": layout.starts, "horizon": options["horizon"]}
    return max(
        ask("jaxmarl", do="bench", **kitchen, views=observations != "none", batch=size)["steps_per_second"]
        for size in sorted({64, batch})
    )


PEERS = {"overcooked-ai": overcooked_ai, "jaxmarl": jaxmarl}
