"""Figures, one function a picture; each returns a Picture with title, caption and alt text."""
from .base import Picture
from .chunks import zipf
from .cost import premiums, vocabulary_curve
from .em import Convergence, convergence
from .indents import indents
from .merges import MergeCurve, merge_curves
from .pruning import PruneScatter, agreement, pruned
from .scripts import bytes_per_character, script_shares
from .speed import speed
