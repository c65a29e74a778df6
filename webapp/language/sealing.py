"""Sealing the endpoint's key, so that a copy of the database doesn't give it away: Fernet, with a key derived
from the site's secret key.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def _fernet() -> Fernet:
    derive = HKDF(SHA256(), length=32, salt=None, info=b"coplay: key of the language model").derive
    return Fernet(base64.urlsafe_b64encode(derive(settings.SECRET_KEY.encode())))


def seal(key: str) -> str:
    return _fernet().encrypt(key.encode()).decode() if key else ""


def unseal(sealed: str) -> str | None:
    """The key, empty if there is none; None if it was sealed with another secret key."""
    if not sealed:
        return ""
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None
