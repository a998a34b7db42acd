"""Widgets, one function each; every one returns an Explorer(controls, view, state)."""
from .explorer import Explorer

__all__ = ["Explorer"]
