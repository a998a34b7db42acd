"""HTML views of tokens, bytes and merges: pure functions from data to text, all of it escaped in one place."""
from .base import bars, box, card, columns, escape, label, mono, problem, strip, table

__all__ = ["bars", "box", "card", "columns", "escape", "label", "mono", "problem", "strip", "table"]
