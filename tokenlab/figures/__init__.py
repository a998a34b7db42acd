"""Figures, one function a picture; each returns a Picture with title, caption and alt text."""
from .base import Picture
from .curves import indents, merge_curves, pruned, vocabulary_curve, zipf
from .moving import Convergence, MergeCurve, PruneScatter, agreement, convergence
from .rows import bytes_per_character, premiums, script_shares, speed
