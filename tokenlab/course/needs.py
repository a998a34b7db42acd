"""The environment check: what the lessons need, what is here, and what to do about the difference."""
import platform
from importlib import metadata

from ipywidgets import HTML
from packaging.specifiers import SpecifierSet

from ..views import base
from .show import Shown, fill, inline, plain
from .words import Package, common, made, read


class Environment(Shown):
    """What is needed and what is here. packages: list of words.Package. found: dict name -> version, or None where it is missing."""

    def __init__(self, packages, found):
        self.packages, self.found = packages, found
        self.problems = {package.name: fill(package.advice, vars(package)) for package in packages if not self._has(package)}
        # Where all is well the table of this machine is live only, so that stored outputs are the same everywhere. Where
        # it is not, that table is all that shows, because the trouble may be that widgets do not.
        if not self.problems:
            self.box = HTML(str(self.table()))

    def _has(self, package):
        """Whether the lessons can run with what is here; a pre-release counts as what it leads to."""
        version = self.found[package.name]
        return SpecifierSet(package.wanted).contains(version, prereleases=True) if version else bool(package.optional)

    def table(self):
        """The card of this machine: package, found, wanted, ok or what to do."""
        rows = []
        for package in self.packages:
            version, advice = self.found[package.name], self.problems.get(package.name)
            state = inline(f"✗ {advice}") if advice else "✓ ok" if version else inline(f"– {fill(package.optional, vars(package))}")
            rows.append([base.mono(package.name), base.mono(version or "not found"), base.mono(package.wanted), state])
        return base.card(self.title(), base.table(rows, ("package", "found", "wanted", "")))

    def title(self):
        return f"{base.count(len(self.problems), 'thing')} to do" if self.problems else "Everything is here"

    def html(self):
        """The stored twin: what is wanted and what for, the same on every machine where all is well."""
        if self.problems:
            return self.table()
        rows = [[base.mono(each.name), base.mono(each.wanted), base.escape(each.purpose)] for each in self.packages]
        return base.card("What the lessons need", base.table(rows, ("package", "wanted", "what for")), common().environment.run)

    def __repr__(self):
        if self.problems:
            return "\n  ".join([self.title(), *map(plain, self.problems.values())])
        return "\n  ".join(["What the lessons need", *(f"{each.name:11} {each.wanted}" for each in self.packages)])


def environment():
    """Compare the packages that are installed with those that the lessons need; nothing is imported or installed. Lesson 0.

    >>> environment().packages[0].name
    'python'
    """
    packages = made(dict[str, list[Package]], read("packages.toml"), "packages.toml")["package"]
    return Environment(packages, {package.name: _version(package.name) for package in packages})


def _version(name):
    try:
        return platform.python_version() if name == "python" else metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
