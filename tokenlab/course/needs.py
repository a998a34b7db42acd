"""The environment check: what the lessons need, what is here, and what to do about the difference."""
import platform
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from ..views import base
from .show import Shown, fill, inline, plain, widgets
from .words import common

DISTRIBUTION, EXTRA = "tokenlab-course", "lab"


@dataclass(frozen=True)
class Need:
    """One package: its name, the versions wanted (a SpecifierSet), and whether the lessons run without it."""
    name: str
    wanted: SpecifierSet
    optional: bool = False

    def words(self):
        """The wanted versions to read, the same whatever order they were written in.

        >>> Need("ipywidgets", SpecifierSet("!=8.1.9,>=7.7.1")).words()
        '>= 7.7.1, not 8.1.9'
        """
        return ", ".join(f"{'not' if sign == '!=' else sign} {version}" for sign, version in self.signs()) or "any"

    def signs(self):
        """The wanted versions as (sign, version) pairs, lower bounds first."""
        pairs = [(one.operator, one.version) for one in self.wanted]
        return sorted(pairs, key=lambda pair: (">=<~!".index(pair[0][0]), pair))

    def met_by(self, version):
        """Whether a version (text) is one of those wanted; a pre-release counts as what it leads to."""
        return self.wanted.contains(version, prereleases=True)


@dataclass(frozen=True)
class Environment(Shown):
    """What is needed and what is here, by package. found: dict name -> version, or None where it is missing."""
    needs: tuple
    found: dict

    def __post_init__(self):
        # Where all is well the table of this machine is live only, so that stored outputs are the same everywhere. Where
        # it is not, that table is all that shows, because the trouble may be that widgets do not.
        if self.ok and widgets():
            object.__setattr__(self, "box", widgets().HTML(str(self.table())))

    @property
    def ok(self):
        """Whether the lessons can run."""
        return not self.problems()

    def problems(self):
        """What to do, one text a package that is missing or has the wrong version."""
        return [advice for need in self.needs if (advice := self._advice(need))]

    def _advice(self, need):
        version = self.found.get(need.name)
        if need.met_by(version) if version else need.optional:
            return ""
        if need.name == "python":
            return fill(common()["environment"]["python"], {"wanted": need.words()})
        spec = need.name + ",".join(sign + version for sign, version in need.signs())
        remark = common()["environment"]["remark"].get(need.name, "")
        return f'`%pip install "{spec}"`, then restart the kernel. {remark}'.strip()

    def table(self):
        """The card of this machine: package, found, wanted, ok or what to do."""
        rows = []
        for need in self.needs:
            version, advice = self.found.get(need.name), self._advice(need)
            state = inline(f"✗ {advice}") if advice else "✓ ok" if version else "– not needed in VS Code or Colab"
            rows.append([base.mono(need.name), base.mono(version or "not found"), base.mono(need.words()), state])
        return base.card(self.title(), base.table(rows, ("package", "found", "wanted", "")), self._note())

    def title(self):
        left = len(self.problems())
        return "Everything is here" if not left else f"{left} thing{'s' * (left > 1)} to do"

    def html(self):
        """The stored twin: what is wanted and what for, the same on every machine where all is well."""
        if not self.ok:
            return self.table()
        purpose = common()["environment"]["purpose"]
        rows = [[base.mono(need.name), base.mono(need.words()), base.escape(purpose.get(need.name, ""))] for need in self.needs]
        return base.card("What the lessons need", base.table(rows, ("package", "wanted", "what for")), self._note() or common()["environment"]["run"])

    def __repr__(self):
        if self.problems():
            return "\n".join([self.title(), *(f"  {plain(advice)}" for advice in self.problems())])
        return "\n".join(["What the lessons need", *(f"  {need.name:11} {need.words()}" for need in self.needs)])

    def _note(self):
        return "" if len(self.needs) > 1 else common()["environment"]["unknown"]


def environment():
    """Compare the packages that are installed with those that the lessons need; nothing is imported or installed. Lesson 0.

    >>> environment().needs[0].name
    'python'
    """
    needs = listed(*requirements())
    return Environment(needs, {need.name: _version(need.name) for need in needs})


def requirements():
    """Return what the project asks for: (Python's versions, requirement lines), the extra `lab` with its marker.

    pyproject.toml says it; an installed package carries the same in its metadata.
    """
    file = Path(__file__).parents[2] / "pyproject.toml"
    if file.exists():
        project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        if project.get("name") == DISTRIBUTION:
            extra = [f'{line}; extra == "{EXTRA}"' for line in project["optional-dependencies"][EXTRA]]
            return project["requires-python"], project["dependencies"] + extra
    try:
        about = metadata.metadata(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return ">=3.11", []
    return about["Requires-Python"], about.get_all("Requires-Dist") or []


def listed(python, lines):
    """Return a tuple of Need, Python first. lines: requirements as metadata write them; an extra's are optional.

    >>> [need.words() for need in listed(">=3.11", ["pandas>=2.2.2", "ipywidgets!=8.1.9,<9,>=7.7.1"])]
    ['>= 3.11', '>= 7.7.1, < 9, not 8.1.9', '>= 2.2.2']
    """
    asked = [one for one in map(Requirement, lines) if not one.marker or one.marker.evaluate({"extra": EXTRA})]
    others = sorted((Need(one.name, one.specifier, bool(one.marker)) for one in asked), key=lambda need: need.name)
    return (Need("python", SpecifierSet(python)), *others)


def _version(name):
    if name == "python":
        return platform.python_version()
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
