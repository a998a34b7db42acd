"""Figures, one function a picture; each returns a Picture with title, caption and alt text."""
from .base import Picture

__all__ = ["Picture"]
