"""What makes the notebooks a course: environment check, predictions, exercise checks, quizzes."""
from .checks import check
from .needs import environment
from .predictions import predict
from .quizzes import quiz
