"""`python -m tokenlab` as it is typed: files and pipes, any locale, errors in words, an interrupt that loses nothing."""
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tokenlab import __main__ as command_line
from tokenlab import bpe, corpora, formats, pretrained

NASTY = "Café e\u0301 안 😉 👨\u200d👩\u200d👧 \ufeff\u200b\u0085 two  blanks\ttab\r\nCRLF\x00\x1b[31m שלום <script>alert(1)</script>"


def run(*arguments, stdin=b"", cwd=None, **environment):
    """Run a command; returns (exit code, bytes of stdout, text of stderr)."""
    done = subprocess.run([sys.executable, "-m", "tokenlab", *map(str, arguments)], input=stdin, capture_output=True, check=False,
                          cwd=cwd, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment})
    return done.returncode, done.stdout, done.stderr.decode("utf-8")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    path = tmp_path_factory.mktemp("a folder") / "böok.txt"
    path.write_text(corpora.load("botchan")[:50_000], encoding="utf-8", newline="")
    return path


def test_the_examples_of_the_help_do_what_they_show(book, tmp_path):
    (tmp_path / "book.txt").write_bytes(book.read_bytes())
    python = f'"{sys.executable}" -m'
    examples = re.findall(r"^  (.+)$", command_line.EXAMPLES, re.MULTILINE)
    said = [subprocess.run(example.replace("python -m", python), shell=True, cwd=tmp_path, capture_output=True, check=True,
                           env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}).stdout.decode() for example in examples]
    assert said[0] == "book.json\n" and said[1] == "11186 22206 198\n" and said[2] == "white whale\n"
    assert said[3].startswith("Tokenizer: ") and "·white" in said[3] and said[4] == "t5.json\n"
    assert f"echo {said[1].strip()} |" in examples[2]


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "mistral_v1"])
@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}], ids=["utf-8", "cp1252"])
def test_any_text_comes_back_through_pipes(name, locale):
    code, ids, said = run("encode", name, stdin=NASTY.encode(), **locale)
    assert (code, said) == (0, "") and [int(i) for i in ids.split()] == pretrained.load(name).encode(NASTY)
    assert run("decode", name, stdin=ids, **locale) == (0, NASTY.encode(), "")


def test_what_is_lost_is_said():
    assert run("encode", "t5", stdin="a 🚕".encode()) == (0, b"3 9 3 2\n", "tokenlab: these ids do not give back 🚕\n")


def test_a_trained_tokenizer_is_that_of_the_lessons(book, tmp_path):
    texts = [book.read_text(encoding="utf-8"), "low lower lowest"]
    (tmp_path / "2.txt").write_text(texts[1], encoding="utf-8")
    for processes in 1, 2:
        out = tmp_path / f"{processes}.json"
        assert run("train", book, tmp_path / "2.txt", "--vocab-size", 400, "--out", out, "--special", "<|end|>",
                   "--processes", processes) == (0, f"{out}\n".encode(), "")
        tok = formats.load(out)
        assert tok.merges == bpe.train(texts, vocab_size=400).tokenizer().merges and tok.special_tokens == {"<|end|>": 400}
    out = tmp_path / "words.model"
    assert run("train", book, "--family", "unigram", "--vocab-size", 200, "--out", out)[0] == 0
    code, shown, _ = run("inspect", out, "the whale")
    assert code == 0 and b"unigram" in shown and "▁the" in shown.decode()
    assert run("export", out, tmp_path / "words.json")[0] == 0
    assert formats.load(tmp_path / "words.json").encode("the whale") == formats.load(out).encode("the whale")


def test_text_from_a_pipe_that_gives_fewer_tokens_than_wanted(tmp_path):
    code, _, said = run("train", "--out", tmp_path / "x.tiktoken", stdin=b"abab")
    assert code == 0 and said == "tokenlab: 258 tokens, not 1000: the text gives no more\n"


@pytest.mark.parametrize("arguments, stdin, code, said", [
    (["encode", "gtp2"], b"", 1, "did you mean 'gpt2'"),
    (["encode", "missing.json"], b"", 1, "No such file"),
    (["encode", "gpt2", "missing.txt"], b"", 1, "No such file"),
    (["encode", "gpt2"], b"ab\xff", 1, "stdin is not UTF-8: invalid start byte at byte 2"),
    (["encode", "t5"], b"a</s>b<pad><unk>", 1, "special token '</s>' at index 1: --special text"),
    (["encode", "gpt2"], b"a <|endoftext|>", 1, "special token '<|endoftext|>' at index 2: --special text takes it as ordinary text, --special all as its id"),
    (["decode", "gpt2"], b"1 two", 1, "'two' is no id"),
    (["decode", "gpt2"], b"1 99999999", 1, "99999999"),
    (["decode", "gpt2"], b"9" * 5000, 1, "9999' is no id"),
    (["decode", "gpt2"], "٣ 1".encode(), 0, ""),
    (["train", "--out", "x.json", "--vocab-size", "10"], b"a", 1, "smaller than the alphabet"),
    (["train", "missing.txt", "--out", "x.txt"], b"", 1, "no format has the ending"),      # before the text is read
    (["train", "missing.txt", "--out", "x.model"], b"", 1, "'x.model' cannot hold"),
    (["train", "missing.txt", "--out", "x.tiktoken", "--family", "unigram"], b"", 1, "'x.tiktoken' cannot hold"),
    (["train", "--out", "none/x.json"], b"a", 1, "No such file or directory: 'none/'\n"),
    (["train", "--out", "x.json"], b"", 1, "the text is empty"),
    (["export", "gpt2", "vocab.json"], b"", 1, "by giving their directory, '.'"),
    (["train", "missing.txt", "--out", "x.json"], b"", 1, "No such file"),
    (["train", "missing.txt", "--out", "x.json", "--processes", "0"], b"", 1, "--processes must be a whole number from 1 up, not 0"),
    (["train"], b"", 2, "--out"),
    (["train", "--out", ""], b"a", 1, "the path is empty"),
    (["export", "gpt2", ""], b"", 1, "the path is empty"),
    (["burn"], b"", 2, "invalid choice"),
    ([], b"", 2, "COMMAND"),
])
def test_errors_are_words_and_an_exit_code(arguments, stdin, code, said, tmp_path):
    got, _, error = run(*arguments, stdin=stdin, cwd=tmp_path)
    assert got == code and said in error and "Traceback" not in error
    assert not list(tmp_path.iterdir())


def test_names_and_tokens_do_not_act_on_the_terminal(tmp_path):
    evil = "\x1b[31m\u202e\x9b"
    (tmp_path / f"{evil}.txt").write_bytes(b"\xff")
    assert run("encode", "gpt2", f"{evil}.txt", cwd=tmp_path)[2].startswith(r"tokenlab: '\x1b[31m\u202e\x9b.txt' is not UTF-8")
    for arguments in ["inspect", "gpt2", evil], ["encode", f"{evil}.json"], ["encode", evil]:
        _, shown, said = run(*arguments, cwd=tmp_path)
        assert not set(evil) & set(shown.decode() + said) - set("[31m")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_said(closed, book):
    done = subprocess.run(f'"{sys.executable}" -m tokenlab encode gpt2 "{book}" {closed}', shell=True, capture_output=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith(b"tokenlab: stdin, stdout and stderr must be open")


def test_no_more_processes_than_files(book, tmp_path):
    out = tmp_path / "x.json"
    assert run("train", book, book, "--vocab-size", 300, "--out", out, "--processes", 10**6) == (0, f"{out}\n".encode(), "")


def test_a_reader_that_stops_early_is_no_error_in_words(book):
    done = subprocess.run(f'"{sys.executable}" -m tokenlab encode gpt2 "{book}" | head -c 5', shell=True, capture_output=True, check=True)
    assert len(done.stdout) == 5 and done.stderr == b""


def test_an_interrupt_leaves_a_shorter_tokenizer_and_a_terminal_shows_how_far_it_is(tmp_path):
    pty = pytest.importorskip("pty")                            # not on Windows
    path, out = tmp_path / "whale.txt", tmp_path / "whale.json"
    path.write_text(corpora.load("moby-dick"), encoding="utf-8")
    reader, terminal = pty.openpty()
    training = subprocess.Popen([sys.executable, "-m", "tokenlab", "train", path, "--vocab-size", "60000", "--out", out], stderr=terminal)
    os.close(terminal)
    shown = b""
    while b"merges" not in shown:
        shown += os.read(reader, 1000)
    training.send_signal(signal.SIGINT)
    try:
        while chunk := os.read(reader, 1000):
            shown += chunk
    except OSError:                             # the other end is closed
        pass
    os.close(reader)
    assert training.wait() == 130 and b" merges\r\ntokenlab: interrupted; what was learned until then is written" in shown
    assert 256 < len(formats.load(out)) < 60_000


def test_a_package_that_is_missing_is_said_in_a_line():
    code = "import sys; sys.modules['regex'] = None; from tokenlab.__main__ import main; sys.exit(main(['encode', 'gpt2']))"
    done = subprocess.run([sys.executable, "-c", code], input="abc é".encode(), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"") and done.stderr.startswith(b"tokenlab: ") and b"regex" in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("how, code, said", [("interrupt", 130, "tokenlab: interrupted\n"), ("kill a worker", 1, "tokenlab: A process in the process pool was terminated abruptly")])
def test_what_ends_the_processes_that_count_ends_the_command_at_once_in_words(how, code, said, tmp_path):
    pipes = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for pipe in pipes:
        os.mkfifo(pipe)                         # a file that never comes to its end
    counting = subprocess.Popen([sys.executable, "-m", "tokenlab", "train", *pipes, "--processes", "2", "--out", tmp_path / "x.json"], stderr=subprocess.PIPE, start_new_session=True)
    held = [os.open(pipe, os.O_WRONLY) for pipe in pipes]   # here it waits until they read
    if how == "interrupt":
        os.killpg(counting.pid, signal.SIGINT)  # as a terminal does
    else:
        worker = Path(f"/proc/{counting.pid}/task/{counting.pid}/children").read_text(encoding="ascii").split()[0]
        os.kill(int(worker), signal.SIGKILL)
    stderr = counting.communicate(timeout=20)[1].decode()
    for file in held:
        os.close(file)
    assert (counting.returncode, stderr[:len(said)], stderr.count("\n")) == (code, said, 1)
    assert sorted(tmp_path.iterdir()) == pipes
