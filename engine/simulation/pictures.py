"""Pictures of states as files that browsers show. Not for drawing them (each game's picture.py)."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np


def png(picture: np.ndarray) -> bytes:
    """A picture, uint8 (height, width, 3), as a PNG file."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG")
    return out.getvalue()


def data_url(picture: np.ndarray) -> str:
    """A picture, uint8 (height, width, 3), as the address of a PNG that holds itself."""
    return f"data:image/png;base64,{base64.b64encode(png(picture)).decode()}"


def write_gif(path: Path, images: Iterator[np.ndarray], per_second: float) -> None:
    """An animated GIF that repeats; its times are in hundredths of a second."""
    from PIL import Image

    def small() -> Iterator[Image.Image]:
        for image in images:
            yield Image.fromarray(image).quantize(128, dither=Image.Dither.NONE)

    frames = small()
    first = next(frames)
    duration = max(20, round(100 / per_second) * 10)
    first.save(path, save_all=True, append_images=frames, duration=duration, loop=0, disposal=1)
