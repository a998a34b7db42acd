"""Start JupyterLab on a loopback port and use one notebook in headless Chromium, as a learner would."""
import contextlib
import importlib.resources
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import expect, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
         "--disable-backgrounding-occluded-windows", "--force-device-scale-factor=1", "--font-render-hinting=none"]
SETTINGS = {
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none", "scrollPastEnd": False},   # all cells stay in the page
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}
CURRENT = "window.jupyterapp.shell.currentWidget"
SETTLED = """() => new Promise(done => {            // milliseconds to the last change, when nothing has changed for 60; null for none in a second
    const look = () => {
        const {start, last} = window.probe, now = performance.now()
        if (last ? now - last > 60 : now - start > 1000) done(last ? last - start : null)
        else setTimeout(look, 10)
    }
    look()
})"""
HIDDEN = """() => [...document.querySelectorAll('.jp-OutputArea-child input[type=radio]')].filter(input => {
    input.scrollIntoView({block: 'center'})
    const label = input.closest('label'), {x, y, width, height} = input.getBoundingClientRect(), out = label.getBoundingClientRect()
    const range = document.createRange()
    range.selectNodeContents(label)
    const words = range.getBoundingClientRect()
    return !width || document.elementFromPoint(x + width / 2, y + height / 2) !== input || y < out.top || y + height > out.top + 24
        || words.bottom > out.bottom + 1 || words.right > label.closest('.jp-OutputArea-child').getBoundingClientRect().right + 1
        || label.nextElementSibling?.getBoundingClientRect().top < out.bottom - 1
}).map(input => 'hidden: ' + input.closest('label').innerText)"""
# Not ours: the front end of ipywidgets names no slider's handle, and JupyterLab gives an image no alt text; our words stand beside both.
NOT_OURS = [[".noUi-handle"], [".jp-RenderedImage img"]]


def chromium():
    """The path of a Chromium or Chrome, or None; the variable CHROMIUM names one, and then no other is taken."""
    named = os.environ.get("CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
                                   "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return next((path for path in map(shutil.which, names) if path), None)


def barriers(page, where="body"):
    """What axe-core finds serious or critical in the elements of this selector, one line each; that it saw text is asserted."""
    page.evaluate((importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    read, unsure, lines = page.evaluate("""async ([where, exclude]) => {
        const found = await axe.run({include: [[where]], exclude}, {selectors: false})
        const texts = rules => rules.filter(rule => rule.id === 'color-contrast').flatMap(rule => rule.nodes).length
        return [texts(found.passes), texts(found.incomplete), found.violations.filter(rule => ['serious', 'critical'].includes(rule.impact))
            .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 120)}: ${node.failureSummary}`))] }""", [where, NOT_OURS])
    assert read > unsure, f"axe tells the contrast of {read} texts, and not that of {unsure}"
    return lines


@contextlib.contextmanager
def lab_server(root):
    """A JupyterLab without a token, reachable from this machine only, with settings of its own; ended by its process id."""
    home = pathlib.Path(tempfile.mkdtemp(prefix="lab-"))
    for plugin, value in SETTINGS.items():
        file = home / "settings" / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folders = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython",
               "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    env = dict(os.environ, JUPYTER_PREFER_ENV_PATH="1", **{name: str(home / folder) for name, folder in folders.items()})
    url = f"http://127.0.0.1:{port}"
    with open(home / "log.txt", "w", encoding="utf-8") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
             "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={root}",
             "--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly", "--LabApp.news_url=None"],
            stdout=log, stderr=log, env=env, start_new_session=True)
        try:
            for _ in range(600):
                if server.poll() is not None:
                    raise RuntimeError((home / "log.txt").read_text(encoding="utf-8")[-3000:])
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(url + "/api", timeout=1).read()
                    break
                time.sleep(0.1)
            yield url
        finally:
            with contextlib.suppress(OSError):      # kernels first, or they outlive the server
                for kernel in json.load(urllib.request.urlopen(url + "/api/kernels", timeout=10)):
                    urllib.request.urlopen(urllib.request.Request(f"{url}/api/kernels/{kernel['id']}", method="DELETE"), timeout=10)
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
    shutil.rmtree(home, ignore_errors=True)


@contextlib.contextmanager
def browser_page(width=1200, height=1400):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, headless=True)
        page = browser.new_context(viewport={"width": width, "height": height}).new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(f"pageerror: {error}"))
        page.on("console", lambda message: page.problems.append(f"console: {message.text} {message.location['url']}") if message.type == "error" else None)
        try:
            yield page
        finally:
            browser.close()


class Notebook:
    """One notebook open in JupyterLab. Cells are found by a piece of their source, so that moving a cell breaks no test."""

    def __init__(self, page, url, path):
        self.page = page
        page.goto("about:blank")                # what the page before still had to say comes now,
        page.problems.clear()                   # and is none of this notebook's
        page.goto(f"{url}/lab/tree/{path}?reset", wait_until="domcontentloaded")
        page.wait_for_function(f"() => window.jupyterapp && {CURRENT}?.content?.widgets", timeout=60_000)
        page.wait_for_function(f"() => {CURRENT}.sessionContext.session?.kernel?.status === 'idle'", timeout=60_000)

    def run_all(self):
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => 1)")
        self.page.wait_for_function(
            f"() => {CURRENT}.sessionContext.session.kernel.status === 'idle' && {CURRENT}.content.widgets.every("
            "c => c.model.type !== 'code' || !c.model.sharedModel.getSource() || c.model.executionCount)", timeout=180_000)

    def in_each_theme(self, look):
        """Call look(theme) in the dark and then in the light theme, with the whole notebook in the window; returns what it returns by theme."""
        size, found = self.page.viewport_size, {}
        height = self.page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollHeight")
        self.page.set_viewport_size({"width": size["width"], "height": height + 200})
        for theme in ("Dark", "Light"):
            command = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme}).then(() => 1)"
            self.page.evaluate(command, f"JupyterLab {theme}")
            self.page.wait_for_function("() => !document.querySelector('#jupyterlab-splash')")
            self.page.wait_for_timeout(500)
            found[theme.lower()] = look(theme.lower())
        self.page.set_viewport_size(size)
        return found

    def photograph(self, folder, name):
        """Keep one picture of the whole notebook in each theme, `name`-dark.png and `name`-light.png, to be looked at."""
        folder.mkdir(exist_ok=True)
        self.in_each_theme(lambda theme: self.page.locator(".jp-NotebookPanel-notebook").screenshot(path=folder / f"{name}-{theme}.png"))

    def barriers(self):
        """What keeps people out of the outputs as they are now, folded answers too, by theme; see `barriers`."""
        self.page.evaluate("""() => { document.body.style.height = '100vh';      // without a height, axe takes all below for hidden
            document.querySelectorAll('.jp-OutputArea-output details').forEach(each => { each.open = true }) }""")
        return self.in_each_theme(lambda theme: barriers(self.page, ".jp-OutputArea-output"))

    def too_wide(self, width=1072):
        """The outputs that do not fit into a window of this width beside the file browser, and the choices that cannot be read and
        clicked where an output is 640 px wide: the beginning of each one's text."""
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": width, "height": size["height"]})
        self.page.wait_for_timeout(300)
        wide = self.page.evaluate("""() => [...document.querySelectorAll('.jp-Notebook .jp-OutputArea-output')]
            .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText.slice(0, 80))""")
        narrow = self.page.add_style_tag(content=".jp-OutputArea-child {width: 640px !important}")
        wide += self.page.evaluate(HIDDEN)
        narrow.evaluate("e => e.remove()")
        self.page.set_viewport_size(size)
        return wide

    def find(self, piece):
        """Index of the only code cell whose source holds `piece`."""
        sources = self.page.evaluate(f"() => {CURRENT}.content.widgets.map(c => c.model.type === 'code' ? c.model.sharedModel.getSource() : '')")
        found = [n for n, source in enumerate(sources) if piece in source]
        assert len(found) == 1, f"{len(found)} cells hold {piece!r}"
        return found[0]

    def output(self, piece):
        """The output area of the code cell that holds `piece`, scrolled into view."""
        output = self.page.locator(".jp-Notebook .jp-Cell").nth(self.find(piece)).locator(".jp-Cell-outputWrapper").first
        output.scroll_into_view_if_needed()
        return output

    def run(self, piece, source=None):
        """Run one cell, with new source if given, and wait until it is done."""
        index = self.find(piece)
        self.page.evaluate(f"""([i, source]) => {{ const cells = {CURRENT}.content; cells.activeCellIndex = i;
            if (source !== null) cells.widgets[i].model.sharedModel.setSource(source);
            cells.widgets[i].model.executionCount = null;
            return window.jupyterapp.commands.execute('notebook:run-cell').then(() => 1) }}""", [index, source])
        self.page.wait_for_function(f"i => {CURRENT}.content.widgets[i].model.executionCount", arg=index, timeout=60_000)

    def explorer(self, piece):
        return Explorer(self.page, self.output(piece))

    def commit(self, id, guess):
        """Commit a guess to a prediction, typed, or the number of a choice taken by keyboard; returns the output with the answer."""
        output = self.output(f'course.predict("{id}")')
        if isinstance(guess, int):
            self.take(output, guess)
        else:
            output.locator("input").fill(guess)
        output.get_by_role("button", name="Commit").click()
        expect(output).to_contain_text("You said", timeout=20_000)
        return output

    def take(self, output, nth):
        """Take one of all the choices in an output by keyboard, as in a quiz."""
        output.locator("input[type=radio]").nth(nth).focus()
        self.page.keyboard.press("Space")

    def quiz(self, number, wrong, said, right):
        """Take a wrong choice of a quiz's first question, which says why, then the right one; numbers of choices from 0."""
        quiz = self.output(f"course.quiz({number})")
        self.take(quiz, wrong)
        expect(quiz).to_contain_text(said)
        self.take(quiz, right)
        expect(quiz).to_contain_text(re.compile(r"1 of \d right"))

    def check(self, name, stub="", answer=None):
        """Put an answer in place of the stub's cell, run it and its check; returns the check's output."""
        if answer is not None:
            self.run(stub, answer)
        self.run(name)
        return self.output(name)


class Explorer:
    """A live widget in the page: its controls, its view, and how long the view takes to follow."""

    def __init__(self, page, output):
        self.page, self.root = page, output.locator(".tokenlab-explorer").first
        expect(self.root).to_be_visible(timeout=30_000)
        self.view = self.root.locator("> .widget-html").last

    def text(self):
        return self.view.inner_text()

    def changes(self, act):
        """Do `act` and wait until the view shows something else; returns the new text."""
        before = self.view.inner_html()
        act()
        self.page.wait_for_function("([e, before]) => e.innerHTML !== before", arg=[self.view.element_handle(), before], timeout=10_000)
        return self.text()

    def handle(self, nth=0):
        return self.root.locator(".noUi-handle").nth(nth)

    def waits_for(self, words):
        """Wait until the view says `words`; returns its text."""
        self.page.wait_for_function("([e, words]) => e.innerText.includes(words)", arg=[self.view.element_handle(), words], timeout=10_000)
        return self.text()

    def choose(self, value, nth=0):
        """Choose from a drop-down list."""
        return self.changes(lambda: self.root.locator("select").nth(nth).select_option(value))

    def click(self, name):
        """Click the button with this name."""
        return self.changes(lambda: self.root.get_by_role("button", name=name).click())

    def drag(self, pixels, nth=0):
        """Drag a slider's handle to the right, or to the left if negative, with the mouse."""
        box = self.handle(nth).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.changes(lambda: self.page.mouse.move(x + pixels, y, steps=8))
        self.page.mouse.up()
        return self.settled()

    def press(self, key, nth=0):
        """Press a key on a slider's handle."""
        self.handle(nth).focus()
        return self.changes(lambda: self.page.keyboard.press(key))

    def type(self, words, nth=0):
        """Replace what stands in a text box, key by key; returns the text when the view has followed the last key."""
        field = self.root.locator("input[type=text], textarea").nth(nth)
        field.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.changes(lambda: self.page.keyboard.type(words))
        return self.settled()

    def settled(self):
        """Wait until the view has stood still for a while, after many changes in a row; returns its text."""
        shown = self.text()
        for _ in range(20):
            self.page.wait_for_timeout(400)
            before, shown = shown, self.text()
            if shown == before:
                break
        return shown

    def latencies(self, nth=0, presses=20, control=None, keys=("ArrowRight", "ArrowLeft")):
        """Milliseconds from a key press on a slider, or on another control, to the last change of the view, for each press."""
        self.page.evaluate("""e => { const probe = window.probe = {start: 0, last: 0};
            e.addEventListener('keydown', () => { probe.start = performance.now(); probe.last = 0 }, true);
            const view = [...e.children].filter(c => c.matches('.widget-html')).pop();
            new MutationObserver(() => { probe.last = performance.now() }).observe(view, {subtree: true, childList: true, characterData: true}) }""",
                           self.root.element_handle())
        (control or self.handle(nth)).focus()
        times = []
        for n in range(presses + 3):
            self.page.keyboard.press(keys[n % 2])
            took = self.page.evaluate(SETTLED)
            if n >= 3 and took:                     # the first presses warm up
                times.append(took)
        return times
