"""Byte-pair encoding: count pairs, merge, train, and look at every step of it."""
from .base import Span
from .dropout import DROPOUT_RULES, dropout, dropout_distribution
from .naive import train_naive
from .pairs import count_pairs, merge
from .rules import ENCODING_RULES, encode_chunk, leftmost_pair, longest_match
from .ties import TIE_RULES
from .tokenizer import Step, Tokenizer
from .trace import Merge, Trace
from .train import train
from .wordpiece import WordPiece, train_wordpiece

__all__ = ["DROPOUT_RULES", "ENCODING_RULES", "TIE_RULES", "Merge", "Span", "Step", "Tokenizer", "Trace", "WordPiece",
           "count_pairs", "dropout", "dropout_distribution", "encode_chunk", "leftmost_pair", "longest_match", "merge", "train", "train_naive",
           "train_wordpiece"]
