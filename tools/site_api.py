"""The API reference of the website: what the package offers, from its signatures and docstrings."""
import html
import importlib
import inspect
import re

MODULES = ("text", "pretokenize", "bpe", "unigram", "sentencepiece", "formats", "pretrained", "corpora", "measure", "views", "figures",
           "widgets", "course")


def offered(module):
    """dict: public name -> function or class, in the order of the module."""
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = {name: getattr(module, name) for name in names}
    return {name: value for name, value in found.items()
            if (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__.startswith(module.__name__)}


def members(value):
    """dict: name -> public method or property of a class, those of the package that it inherits included."""
    found = {}
    for base in value.__mro__:
        if base.__module__.startswith("tokenlab"):
            found = {**vars(base), **found}
    return {name: each for name, each in found.items() if not name.startswith("_") and inspect.getdoc(each)
            and (inspect.isfunction(each) or isinstance(each, (property, classmethod)))}


def signature(name, value):
    if isinstance(value, property):
        return name
    try:
        return name + re.sub(r"\(self(, )?", "(", str(inspect.signature(getattr(value, "__func__", value))))
    except ValueError:
        return name


def prose(docstring, colour, pages):
    """A docstring as HTML: paragraphs, `names` as code, doctests as code, "lesson N" as a link."""
    out = []
    for part in re.split(r"\n\s*\n", docstring):
        if part.lstrip().startswith(">>>"):
            out.append(f'<pre class="code"><code>{doctest(part, colour)}</code></pre>')
            continue
        text = re.sub("`+([^`]+)`+", r"<code>\1</code>", html.escape(part, quote=False))
        text = re.sub(r"\b([Ll]esson) (\d+)", lambda found: f'<a href="{pages[int(found[2])]}">{found[0]}</a>'
                      if int(found[2]) in pages else found[0], text)
        out.append(f"<p>{text}</p>")
    return "\n".join(out)


def doctest(part, colour):
    """The lines of a doctest, those that are typed in colour."""
    part = re.sub(r" *# doctest: .*", "", inspect.cleandoc(part))
    return "\n".join(line[:4].replace(">", "&gt;") + colour(line[4:]) if line.startswith((">>> ", "... ")) else html.escape(line)
                     for line in part.splitlines())


def entry(name, value, level, colour, pages):
    doc = prose(inspect.getdoc(value) or "", colour, pages)
    short = name.rsplit(".", 1)[-1] if level == 4 else name
    return (f'<div class="{"entry" if level == 3 else "member"}"><h{level} id="{name}">{html.escape(signature(short, value))}</h{level}>\n{doc}'
            + "".join(entry(f"{name}.{each}", member, 4, colour, pages) for each, member in (members(value) if inspect.isclass(value) else {}).items())
            + "</div>")


def api_body(colour, pages):
    """(contents, HTML) of the page. pages: dict number of a lesson -> its page."""
    contents = [(f"#{name}", name) for name in MODULES]
    out = ["<h1>The package</h1>", '<p class="note">What <code>tokenlab</code> offers, room by room.</p>']
    for room in MODULES:
        module = importlib.import_module(f"tokenlab.{room}")
        names = offered(module)
        links = " · ".join(f'<a href="#{room}.{name}">{name}</a>' for name in names)
        out.append(f'<section class="api"><h2 id="{room}">{room}</h2>{prose(inspect.getdoc(module) or "", colour, pages)}<p>{links}</p>')
        out += [entry(f"{room}.{name}", value, 3, colour, pages) for name, value in names.items()]
        out.append("</section>")
    return contents, "\n".join(out)
