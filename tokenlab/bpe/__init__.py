"""Byte-pair encoding: count pairs, merge, train, and look at every step of it."""
from .base import Span
from .dropout import DROPOUT_RULES, dropout, dropout_distribution
from .joins import Step
from .naive import train_naive
from .pairs import count_pairs, merge
from .rules import ENCODING_RULES, encode_chunk, leftmost_pair, longest_match
from .ties import TIE_RULES
from .tokenizer import Tokenizer
from .trace import Merge, Trace
from .train import train
from .wordpiece import WordPiece, train_wordpiece
