"""Pictures of states as files that browsers show. Not for drawing them (each game's picture.py)."""

from __future__ import annotations

import base64
import io

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
