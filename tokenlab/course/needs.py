"""The environment check: what the lessons need, what is here, and what to do about the difference."""
import platform
from importlib import metadata

from ipywidgets import HTML
from packaging.specifiers import SpecifierSet

from ..views import base
from ..views.writing import counted
from .show import Shown, fill, inline, plain
from .words import Packages, common, made, read


class Environment(Shown):
    """What is needed and what is here. packages: list of words.Package. found: dict name -> version, or None where it is missing."""

    def __init__(self, packages, found):
        self.packages, self.found, self.problems, rows = packages, found, {}, []
        for package in packages:
            version, state = found[package.name], "✓ ok"
            # A pre-release counts as what it leads to.
            if not (SpecifierSet(package.wanted).contains(version, prereleases=True) if version else package.optional):
                self.problems[package.name] = fill(package.advice, package._asdict())
                state = f"✗ {self.problems[package.name]}"
            elif not version:
                state = f"– {fill(package.optional, package._asdict())}"
            rows.append([base.mono(package.name), base.mono(version or "not found"), base.mono(package.wanted), inline(state)])
        self.title = f"{counted(len(self.problems), 'thing')} to do" if self.problems else "Everything is here"
        self.here = base.card(self.title, base.table(rows, ("package", "found", "wanted", "")))
        # Where all is well the table of this machine is live only, so that stored outputs are the same everywhere. Where
        # it is not, that table is all that shows, because the trouble may be that widgets do not.
        if not self.problems:
            self.box = HTML(str(self.here))

    def html(self):
        """The stored twin: what is wanted and what for, the same on every machine where all is well."""
        if self.problems:
            return self.here
        rows = [[base.mono(each.name), base.mono(each.wanted), base.escape(each.purpose)] for each in self.packages]
        return base.card("What the lessons need", base.table(rows, ("package", "wanted", "what for")), common().environment.run)

    def __repr__(self):
        if self.problems:
            return "\n  ".join([self.title, *map(plain, self.problems.values())])
        return "\n  ".join(["What the lessons need", *(f"{each.name:11} {each.wanted}" for each in self.packages)])


def environment():
    """Compare the packages that are installed with those that the lessons need; nothing is imported or installed. Lesson 0.

    >>> environment().packages[0].name
    'python'
    """
    packages = made(Packages, read("packages.toml"), "packages.toml").package
    return Environment(packages, {package.name: _version(package.name) for package in packages})


def _version(name):
    try:
        return platform.python_version() if name == "python" else metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
