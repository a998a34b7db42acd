"""SentencePiece: blanks as characters, a normalization in the model file, unknown characters, bytes as a way out."""
from .bpe import CharacterBPE
from .normalizer import BLANK, CharacterMap, Normalizer
from .tokenizer import KINDS, Piece, PieceTokenizer

__all__ = ["BLANK", "KINDS", "CharacterBPE", "CharacterMap", "Normalizer", "Piece", "PieceTokenizer"]
