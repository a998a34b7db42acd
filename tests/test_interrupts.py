"""The stop button at any moment: what was interrupted works afterwards, and gives what a fresh one gives."""
import gc
import random
import signal
import sys
import threading
import time
from functools import cache

import pytest

from tokenlab import bpe, corpora, course, formats, pretokenize, pretrained, sentencepiece, unigram, widgets
from tokenlab.bpe import encoder
from tokenlab.course import limit

NOVEL = corpora.load("botchan")[3_000:5_000]
TEXTS = ["the the cat 123", " it's  a\n\n line <|end|> é😉", NOVEL[:150], "", "x" * 40, NOVEL[100:200]]


def instructions(call, at=None):
    """Run call() and return how many instructions of the package it takes; raise KeyboardInterrupt before number `at`, if not None."""
    done = 0

    def trace(frame, event, arg):
        nonlocal done
        if "tokenlab" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            if done == at:
                raise KeyboardInterrupt
            done += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return done


def interrupt_often(call, check=lambda: None, times=30):
    """Interrupt call() that often, each time at another moment, and check what is left."""
    most = instructions(call)
    assert most > times
    for at in random.Random(0).sample(range(most), times):
        try:
            instructions(call, at)                              # it may take fewer by now, as what is remembered is not done again
        except KeyboardInterrupt:
            check()


def small(kind):
    """A new tokenizer of this kind, that remembers nothing yet."""
    if kind == "unigram":
        return unigram.Tokenizer(pretrained.load("botchan-unigram").model, normalizer=pretrained.load("botchan-unigram").normalizer)
    if kind == "character BPE":
        return sentencepiece.CharacterBPE(pretrained.load("botchan-bpe").model, normalizer=pretrained.load("botchan-bpe").normalizer)
    if kind == "WordPiece":
        return bpe.WordPiece(["[UNK]", *sorted({*"thecatisaline123'x", "the", "cat"}), "##t", "##e", "##h", "##x", "##xx"])
    return bpe.Tokenizer(trained_ids(), pattern=kind, special_tokens={"<|end|>": 9999}, whole_chunk_first=kind == "cl100k_base")


@cache
def trained_ids():
    return {token: i for i, token in bpe.train(NOVEL, vocab_size=350).tokenizer().vocabulary.items()}


@pytest.mark.parametrize("kind", ["gpt2", "cl100k_base", "none", r"(?s:.)[a-z]*", "unigram", "character BPE", "WordPiece"])
def test_encode(kind, monkeypatch):
    monkeypatch.setattr(encoder, "REMEMBERED", 300)             # it forgets, too
    monkeypatch.setattr(sentencepiece.tokenizer, "REMEMBERED", 20)
    how = {} if kind == "WordPiece" else {"disallowed_special": "text"}
    expected = [small(kind).encode(s, **how) for s in TEXTS]
    toks = [small(kind)]

    def check():
        assert [toks[-1].encode(s, **how) for s in TEXTS] == expected

    def use():
        toks.append(small(kind))
        check()
    interrupt_often(use, check)


def test_streams_and_what_is_found_once():
    tok, fresh = (small("gpt2") for _ in range(2))
    ids = fresh.encode(NOVEL)

    def use():
        list(tok.encode_stream([NOVEL[:700], NOVEL[700:]]))
        list(tok.decode_stream(ids))
        tok.offsets("the cat"), tok.steps("the cat"), tok.merges, tok.vocabulary, len(tok)

    def check():
        assert (list(tok.encode_stream([NOVEL[:99], NOVEL[99:]])), "".join(tok.decode_stream(ids)), len(tok)) == (ids, NOVEL, len(fresh))
        assert (tok.merges, tok.steps("the cat"), tok.offsets("the cat")) == (fresh.merges, fresh.steps("the cat"), fresh.offsets("the cat"))

    interrupt_often(use, check)


def test_training():
    """What is trained on is as it was, and training again gives what it always gives."""
    counts = pretokenize.count_chunks(NOVEL)
    before, expected = dict(counts), bpe.train(dict(counts), vocab_size=280)
    toy = {"▁hug": 3, "▁pugs": 2, "▁bun": 1}
    once = unigram.train(dict(toy), vocab_size=10)
    seen = []

    def check():
        assert dict(counts) == before and list(counts) == list(before)
    interrupt_often(lambda: bpe.train(counts, vocab_size=280, progress=lambda *place: seen.append(place)), check)
    interrupt_often(lambda: unigram.train(toy, vocab_size=10, progress=lambda *place: seen.append(place)), check)
    assert seen and bpe.train(counts, vocab_size=280).merges == expected.merges
    assert toy == {"▁hug": 3, "▁pugs": 2, "▁bun": 1} and unigram.train(toy, vocab_size=10).scores == once.scores


@pytest.mark.parametrize("train", [bpe.train, unigram.train])
def test_an_interrupt_in_the_function_that_is_told_the_progress_goes_through(train):
    def stop(done, total):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        train(NOVEL, vocab_size=300, progress=stop)
    assert train(NOVEL, vocab_size=300).tokenizer().encode("the") == train(NOVEL, vocab_size=300, progress=lambda *_: True).tokenizer().encode("the")


def test_a_trace_that_was_interrupted_while_it_was_read():
    trace, fresh = (bpe.train(NOVEL, vocab_size=300) for _ in range(2))

    def use():
        trace.tokenizer(280), trace.lengths, trace.merges

    def check():
        assert trace.tokenizer(280).encode(NOVEL) == fresh.tokenizer(280).encode(NOVEL)
        assert (trace.merges, trace.lengths) == (fresh.merges, fresh.lengths)
    interrupt_often(use, check)


def test_counting_and_files(tmp_path):
    paths = [tmp_path / f"{n}.txt" for n in range(3)]
    for path in paths:
        path.write_text(NOVEL, encoding="utf-8")
    expected = pretokenize.count_files(paths)
    interrupt_often(lambda: pretokenize.count_files(paths), times=15)
    assert pretokenize.count_files(paths) == expected
    for name in "x.json", "x.tiktoken", "x":
        formats.save(small("gpt2"), tmp_path / name)
        there = sorted(tmp_path.rglob("*"))

        def check(name=name, there=there):
            assert sorted(tmp_path.rglob("*")) == there, "nothing is left behind"
            assert len(formats.load(tmp_path / name)) == 351, "a file is never half of one"
        interrupt_often(lambda name=name: formats.save(small("gpt2"), tmp_path / name), check, times=10)


def test_checks():
    """Tracing and what is printed are as before."""
    out = sys.stdout
    interrupt_often(lambda: course.check("2.1", lambda ids: print("seen")), times=4)
    assert sys.stdout is out and course.check("2.1", bpe.count_pairs).passed


def test_a_check_in_which_the_stop_button_is_pressed_at_any_moment():
    """The same with real signals."""
    out, tracer, hits, draw = sys.stdout, sys.gettrace(), 0, random.Random(0)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()                                                # what it calls would take the signal
    try:
        for _ in range(1000):
            try:
                signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-6, 1e-4))
                for _ in range(20):
                    limit.attempt(len, "abc")
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                hits += 1
            assert sys.stdout is out and sys.gettrace() is tracer, hits
    finally:
        gc.enable()
        signal.signal(signal.SIGALRM, before)
        sys.stdout = out
        sys.settrace(tracer)
    assert hits > 100


def test_a_widget_is_drawn_again():
    explorer, fresh = widgets.merge_stepper(), widgets.merge_stepper()
    fresh.set(corpus="taxi taxis tax", k=2)
    states = [("corpus", "low lower lowest"), ("corpus", "taxi taxis tax"), ("k", 1), ("k", 2)]

    def use():
        for name, value in states:
            explorer.set(**{name: value})

    def check():
        explorer.set(k=0)
        explorer.set(corpus="a b"), explorer.set(corpus="taxi taxis tax", k=2)
        assert explorer.view.value == fresh.view.value
    interrupt_often(use, check)


def test_training_in_a_widget_goes_on_while_the_kernel_is_interrupted():
    explorer = widgets.your_own_text("low lower lowest " * 300, 300)
    own = explorer.adjust.__self__
    explorer.set(text="taxi taxis tax " * 2000)
    own.start()
    with pytest.raises(KeyboardInterrupt):                      # the main thread alone hears of it
        signal.raise_signal(signal.SIGINT)
    while own.train.disabled:
        time.sleep(0.01)
    assert threading.active_count() < 10 and own.result[0] == ("taxi taxis tax " * 2000, 300)
    own.result = None, None
    with pytest.raises(KeyboardInterrupt):                      # and without threads, it hears of it in the midst of training
        own.progress = lambda what: (_ for _ in ()).throw(KeyboardInterrupt)
        list(own.slices("taxi" * 100, 300, 300))
    del own.progress
    assert not own.train.disabled
    list(own.slices("taxi taxis tax " * 2000, 300, 300))
    assert own.result[0] == ("taxi taxis tax " * 2000, 300)
