"""Text that attacks stays text, wherever it comes in: typed, uploaded, as a file's name, in tokens, labels, answers and error messages.

What is shown is found by looking through the package, so that a new widget, view or figure is attacked, too.
"""
import pytest
from playwright.sync_api import expect

from . import lab

# The first words also survive where only the beginning is shown; the last ones turn a line around, and end what keeps it apart.
ATTACK = ("<img src=x onerror=window.pwned=1>'\"></textarea></style><script>window.pwned=1</script><svg onload=window.pwned=1>"
          "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe><a href=javascript:window.pwned=1>pwned</a><style>*{--pwned:1}</style>"
          "<b style='position:fixed' onfocus=window.pwned=1 autofocus tabindex=0>pwned</b> `<i>pwned</i>` $\\href{javascript:window.pwned=1}{pwned}$"
          "\u202epwned\u202c\u2069\u2067\u05e9\u05dc\u05d5\u05dd")
PREPARE = f"ATTACK = {ATTACK!a}\n" + r'''
import inspect, pathlib, tempfile
from IPython.display import display
from tokenlab import bpe, course, figures, formats, pretrained, unigram, views, widgets
from tokenlab.course import lessons

trace = bpe.train([ATTACK] * 2, vocab_size=900, pattern="none")
tok = trace.tokenizer().with_special({ATTACK + "!": 900})
with tempfile.TemporaryDirectory() as folder:           # its tokens, its special token and its name come from a file
    tok = formats.load(formats.save(tok, pathlib.Path(folder, ATTACK[:33] + "\u202e.json"))[0])
words = {ATTACK[n:n + 40]: 3 for n in range(0, len(ATTACK), 40)}
p = {word[i:i + size] for word in words for i in range(len(word)) for size in (1, 2, 3, 40)}
p = dict.fromkeys(sorted(p), 1 / len(p))
exact = {piece: float(i) for i, piece in enumerate(list(p)[::9])}
GIVEN = {"text": ATTACK, "word": ATTACK, "value": ATTACK, "token": ATTACK, "tokens": [ATTACK, ATTACK.encode()], "corpus": ATTACK, "error": ValueError(ATTACK),
         "title": ATTACK, "body": "", "note": ATTACK, "tok": tok, "toks": {ATTACK: tok}, "trace": trace, "traces": {ATTACK: trace}, "words": words, "p": p,
         "history": unigram.em(words, p, 3), "costs": {"exact": exact, ATTACK: exact}, "sizes": {256: 1.0, 512: 2.0}, "tasks": {ATTACK: list},
         "premiums": {"cl100k_base": {"eng": 1.0}, ATTACK: {"eng": 1.0}}, "counts": {ATTACK: words}, "name": ATTACK}

def all_of(room):
    """Call whatever in a room needs only what is GIVEN: the results, and why others gave none."""
    shown, left = [], {}
    for name, call in vars(room).items():
        if inspect.isfunction(call) and name not in ("label", "short"):         # these two return text
            needed = [each.name for each in inspect.signature(call).parameters.values() if each.default is each.empty and each.kind == each.POSITIONAL_OR_KEYWORD]
            try:
                shown.append(call(**{each: GIVEN[each] for each in needed}))
            except Exception as error:
                left[name] = repr(error)
    return shown, left

def error(call, *args, **more):
    """The card of the error that a call raises."""
    try:
        call(*args, **more)
    except (ValueError, TypeError, OSError) as found:
        return views.problem(found)

class Answer:
    def __repr__(self):
        return ATTACK

def raising(*args):
    raise ValueError(ATTACK)
'''
SHOW = {
    "widgets": """shown, left = all_of(widgets)
assert not left, left
display(*shown)""",
    "views": """shown, left = all_of(views)
assert len(shown) > 40, left
shown += [views.table([[views.mono(ATTACK), ""]], [ATTACK]), views.bars([(ATTACK, 3)]), views.cuts_card(ATTACK, [(ATTACK, [ATTACK])], ATTACK),
          views.compare_card({ATTACK: tok}, ATTACK), views.encode_card(tok, ATTACK), views.stream_card(tok, ATTACK), views.letters_card(tok, ATTACK, "p"),
          views.stages_card(ATTACK), views.loss_card(words, p, ATTACK[:2], {ATTACK: dict(p)})]
display(*(each if isinstance(each, views.Html) else views.card("", each) for each in shown if isinstance(each, str)))""",
    "figures": """shown, left = all_of(figures)
display(*shown, figures.zipf({ATTACK: words}, ATTACK), figures.indents([tok]), figures.convergence(GIVEN["history"]))""",
    "errors": """display(error(pretrained.load, ATTACK), error(formats.load, ATTACK + ".json"), error(bpe.train, ATTACK, pattern="(" + ATTACK), error(tok.encode, ATTACK + "!"),
        error(tok.encode, "", allowed_special=[ATTACK]), error(tok.with_special, {ATTACK: "x"}), error(course.check, ATTACK, 1), error(course.predict, ATTACK))""",
    "course": """display(*(course.predict(f"{n}.{key}") for n in lessons.numbers() for key in lessons.words_of(n).prediction),
        *(course.check(id, answer) for n in lessons.numbers() for id in lessons.exercises(n) for answer in (lambda *given: Answer(), raising, ATTACK)))""",
}
# Elements and attributes that an attack has made: the words of one are nowhere but in text and in what is read aloud.
MADE = """() => [...document.querySelectorAll('.jp-OutputArea-output, .jp-OutputArea-output *')].filter(e =>
    e.matches('script, iframe, object, embed, link, meta, base, form, mjx-container, .MathJax') || (e.matches('style') && e.textContent.includes('pwned')) ||
    [...e.attributes].some(({name, value}) => name.startsWith('on') || /^\\s*javascript:/i.test(value) ||
        (value.includes('pwned') && !['aria-label', 'title', 'value', 'data-value', 'download', 'alt'].includes(name) && !value.startsWith('data:'))))
    .map(e => e.outerHTML.slice(0, 200))"""
# A sign that turns lines around, and what follows the attack's last letter, a Hebrew one, on its line but stands to the left of it;
# in a figure's title and caption only the former, since the names there are the author's.
TURNED = """() => { const found = [], nodes = [], walk = document.createTreeWalker(document.querySelector('.jp-Notebook'), NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) if (walk.currentNode.parentElement.closest('.jp-OutputArea-output') && !walk.currentNode.parentElement.closest('textarea, style, select'))
        nodes.push(walk.currentNode)
    const place = (node, i) => { const range = document.createRange(); range.setStart(node, i); range.setEnd(node, i + 1); return range.getBoundingClientRect() }
    const block = node => node.parentElement.closest('div, td, th, p, li, pre, label, text')
    nodes.forEach((node, n) => {
        if (/[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066\\u2067]/.test(node.data)) found.push(node.data.slice(0, 80))
        if (!node.parentElement.matches('text, p')) for (const {index} of node.data.matchAll(/\\u05dd/g)) {
            let next = node, i = node.data.slice(index).search(/[A-Za-z0-9]/), m = n
            if (i >= 0) i += index
            while (i < 0 && ++m < nodes.length && block(nodes[m]) === block(node)) { next = nodes[m]; i = next.data.search(/[A-Za-z0-9]/) }
            if (i < 0 || m >= nodes.length || block(next) !== block(node)) continue
            const hebrew = place(node, index), after = place(next, i)
            if (hebrew.width && after.width && Math.abs(hebrew.top - after.top) < 3 && after.left < hebrew.left)
                found.push(node.data.slice(-60) + ' | ' + next.data.slice(Math.max(0, i - 20), i + 40)) } })
    return found }"""


@pytest.fixture(scope="module")
def attacked(server, page):
    notebook = lab.Notebook(page, server, "notebooks/00_start_here.ipynb")
    notebook.run("course.environment()", PREPARE)
    return notebook




@pytest.mark.parametrize("what", SHOW)
def test_an_attack_stays_text(attacked, what):
    page, cell = attacked.page, "from IPython.display import display"
    attacked.run(cell, f"{PREPARE}\n{SHOW[what]}")
    output = attacked.output(cell)
    expect(output).to_contain_text("onerror=window.pwned=1", timeout=60_000)
    assert "Traceback" not in output.inner_text()
    for box in output.locator("input[type=text]:enabled, textarea:enabled").all():
        box.fill(ATTACK)
        box.press("Enter")
    for box in output.locator("input[type=file]").all():
        box.set_input_files({"name": ATTACK[:33] + "\u202e\u2069\u05dd", "mimeType": "text/plain", "buffer": b"low lower"})
        expect(output).to_contain_text("9 bytes from <img src=x onerror=")
    page.wait_for_timeout(2000)                     # what would load or run has had its time
    assert page.evaluate(MADE) == []
    assert page.evaluate(TURNED) == []
    assert page.evaluate("() => window.pwned === undefined && !getComputedStyle(document.body).getPropertyValue('--pwned')")


def test_an_attack_is_seen(attacked):
    """The other tests can fail: HTML that a learner writes does run, as anywhere in JupyterLab."""
    page, cell = attacked.page, "from IPython.display import display"
    attacked.run(cell, f"{PREPARE}\ndisplay({{'text/html': ATTACK, 'text/plain': ''}}, raw=True)")
    page.wait_for_function("() => window.pwned === 1")
    made = " ".join(page.evaluate(MADE))
    assert all(tag in made for tag in ("<img", "<script", "<svg", "<iframe", "<a ", "<style", "<b ", "<mjx-container")) and page.evaluate(TURNED)
