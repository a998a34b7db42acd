"""What every test and every notebook kernel inherits: the same hash order and line width, and no library's deprecation notes."""
import os

from hypothesis import settings

os.environ.setdefault("PYTHONWARNINGS", "ignore::DeprecationWarning,ignore::FutureWarning")
os.environ.setdefault("PYTHONHASHSEED", "0")
os.environ.setdefault("COLUMNS", "100")
os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")

settings.register_profile("house", deadline=None, print_blob=True)      # no test measures time
settings.load_profile("house")
