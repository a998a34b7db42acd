"""Counting files: in blocks, by one process, a pool of processes or a cluster, the counts and their order are the same."""
import os
import signal
import tracemalloc
from concurrent.futures import ProcessPoolExecutor

import pytest
from distributed import Client, LocalCluster
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import bpe, corpora, pretokenize
from tokenlab.pretokenize import count_chunks, count_files
from tokenlab.pretokenize import counts as counting

NAMES = ["python", "numbers", "sotu", "botchan"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Four corpora as files, in an order in which the first occurrence of a chunk matters."""
    folder = tmp_path_factory.mktemp("files")
    for name in NAMES:
        (folder / name).write_text(corpora.load(name), encoding="utf-8", newline="")
    return [folder / name for name in NAMES]


@pytest.fixture(scope="module")
def expected():
    return list(count_chunks(map(corpora.load, NAMES)).items())


def test_one_process_and_a_pool_count_alike_and_in_order(files, expected):
    assert list(count_files(files).items()) == expected
    with ProcessPoolExecutor(2) as pool:
        assert list(count_files(map(str, files), map=pool.map).items()) == expected


def on_cluster(client):
    return lambda count, paths: (future.result() for future in client.map(count, list(paths)))


def test_a_cluster_counts_alike_though_a_worker_is_killed(files, expected, tmp_path):
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", local_directory=tmp_path) as cluster, Client(cluster) as client:
        def kill_one_after_the_first(count, paths):
            futures = client.map(count, list(paths))
            yield futures[0].result()
            victim = next(iter(client.who_has([futures[0]]).values()))[0]           # the worker that keeps a result
            os.kill(client.run(os.getpid, workers=[victim])[victim], signal.SIGKILL)
            yield from (future.result() for future in futures[1:])

        counts = count_files(files, map=kill_one_after_the_first)
        assert list(counts.items()) == expected
        assert list(count_files(files, map=on_cluster(client)).items()) == expected
    for tie in ("first-seen", "gpt2-order"):
        assert bpe.train(counts, vocab_size=500, tie=tie).merges == bpe.train(map(corpora.load, NAMES), vocab_size=500, tie=tie).merges


@given(st.lists(st.text(st.sampled_from("aB \n\r\t'sé日1."), max_size=60), max_size=3), st.integers(1, 9), st.sampled_from(sorted(pretokenize.PATTERNS)))
@settings(max_examples=150)
def test_files_of_any_text_in_blocks_of_any_size(tmp_path_factory, texts, block, pattern):
    if pattern == "words":                      # it does not cover its text
        texts = []
    folder = tmp_path_factory.mktemp("texts")
    paths = [folder / str(n) for n in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    whole, counting.BLOCK = counting.BLOCK, block
    try:
        assert list(count_files(paths, pattern).items()) == list(count_chunks(texts, pattern).items())
    finally:
        counting.BLOCK = whole


def test_memory_grows_with_the_chunks_and_not_with_the_text(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "BLOCK", 10_000)
    peaks = []
    for times in (4, 16):
        path = tmp_path / str(times)
        path.write_text(corpora.load("botchan")[:50_000] * times, encoding="utf-8")
        tracemalloc.start()
        count_files([path])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0] < 1_000_000


def test_errors_name_the_file(tmp_path):
    (tmp_path / "latin").write_bytes("é".encode("latin-1"))
    with pytest.raises(ValueError, match="latin is not UTF-8.*open"):
        count_files([tmp_path / "latin"])
    with pytest.raises(FileNotFoundError, match="missing"):
        count_files([tmp_path / "missing"])
    for one in ("a.txt", b"a.txt", tmp_path):
        with pytest.raises(TypeError, match=r"several paths.*write \[path\]"):
            count_files(one)
    with pytest.raises(ValueError, match="gpt2"):
        count_files([], "gtp2")
    assert count_files([]) == {}
