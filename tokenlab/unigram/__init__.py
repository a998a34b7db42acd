"""Unigram: a probability for each piece, learned by EM and pruned, and the likeliest way to write a word in pieces."""
from .em import Round, em, em_naive
from .pruning import LOSSES, losses, prune
from .seeds import SEEDS
from .tokenizer import Tokenizer
from .train import UnigramTrace, train
from .words import forward_backward, marginal, nbest, sample, segmentations, viterbi

__all__ = ["LOSSES", "SEEDS", "Round", "Tokenizer", "UnigramTrace", "em", "em_naive", "forward_backward", "losses", "marginal", "nbest", "prune",
           "sample", "segmentations", "train", "viterbi"]
