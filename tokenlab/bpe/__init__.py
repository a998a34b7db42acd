"""Byte-pair encoding: count pairs, merge, train, and look at every step of it."""
from .naive import train_naive
from .pairs import count_pairs, merge
from .ties import TIE_RULES
from .tokenizer import Span, Step, Tokenizer
from .trace import Merge, Trace
from .train import train

__all__ = ["TIE_RULES", "Merge", "Span", "Step", "Tokenizer", "Trace", "count_pairs", "merge", "train", "train_naive"]
