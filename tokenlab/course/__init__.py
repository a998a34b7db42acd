"""What makes the notebooks a course: environment check, predictions, exercise checks, quizzes."""
