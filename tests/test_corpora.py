"""The shipped texts and files: whole, unchanged, free to use, and said so."""
import hashlib
import json
import lzma
import unicodedata
from pathlib import Path

import pytest

from tokenlab import corpora, data
from tokenlab.figures.scripts import script_counts

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tokenlab" / "data"
TEXTS = {"moby-dick": (1_193_018, "CHAPTER 1"), "botchan": (254_781, "Because of an hereditary recklessness"),
         "python": (136_051, "class TextWrapper:"), "sotu": (202_429, "Fellow"), "numbers": (4_577, "3.14159265358979")}


# ---- every file that is shipped

def test_every_file_unpacks_to_what_the_manifest_says():
    packed = {str(path.relative_to(DATA).as_posix()): path for path in DATA.glob("*/*.xz")}
    assert sorted(packed) == sorted(f"{name}.xz" for name in data.manifest())
    for name, expected in data.manifest().items():
        content = lzma.decompress(packed[f"{name}.xz"].read_bytes())
        assert len(content) == expected["bytes"] and hashlib.sha256(content).hexdigest() == expected["sha256"]
        assert data.read(name) == content


def test_all_eight_tokenizers_are_there_and_the_models_are_the_originals():
    tokenizers = {name: entry for name, entry in data.manifest().items() if name.startswith("tokenizers/")}
    assert len(tokenizers) == 8
    for name, entry in tokenizers.items():
        if not name.endswith(".tok"):           # those are rebuilt in test_pretrained
            assert entry["sha256"] == entry["sha256_of_original"]


def test_provenance_tells_of_every_file_and_notice_of_every_licence():
    provenance = (DATA / "PROVENANCE.md").read_text(encoding="utf-8")
    for name in data.manifest():
        assert f"`{Path(name).name}.xz`" in provenance
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    licences = [path.name for path in (DATA / "licences").iterdir()]
    assert len(licences) == 7
    for licence in licences:
        assert licence in notice
        assert licence in provenance or licence == "Apache-2.0.txt" and "Apache-2.0" in provenance
    for licence in ("MIT License", "CC BY 4.0", "PDDL-1.0", "CC0-1.0", "PSF License", "Unicode licence", "United Nations"):
        assert licence in notice


def test_own_licences_name_the_authors():
    for name, words in [("LICENSE", "MIT License"), ("LICENSE-CONTENT", "https://creativecommons.org/licenses/by/4.0/legalcode")]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "Copyright (c) 2026 The tokenlab-course authors" in text and words in text


def test_a_damaged_file_is_refused(monkeypatch, tmp_path):
    packed = (DATA / "corpora" / "numbers.txt.xz").read_bytes()
    data.manifest()             # is kept
    (tmp_path / "corpora").mkdir()
    monkeypatch.setattr(data, "_HERE", tmp_path)
    for wrong in (packed[:-40], b"no xz at all", lzma.compress(b"8"), b""):
        (tmp_path / "corpora" / "numbers.txt.xz").write_bytes(wrong)
        with pytest.raises(ValueError, match="the file is damaged, get a fresh copy"):
            data.read("corpora/numbers.txt")


# ---- texts by name

@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_whole(name):
    size, words = TEXTS[name]
    text = corpora.load(name)
    assert len(text.encode("utf-8")) == size and words in text
    assert "\r" not in text and not text.startswith("\ufeff") and text.endswith("\n")
    assert corpora.load(name) is text, "read once"


def test_names_are_what_load_knows():
    assert corpora.names() == list(TEXTS)


def test_an_unknown_text_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match=r"unknown corpus 'botchann': did you mean 'botchan'\? Allowed: moby-dick, botchan, python, sotu, numbers"):
        corpora.load("botchann")
    with pytest.raises(ValueError, match="Allowed: moby-dick"):
        corpora.load("typo")
    with pytest.raises(TypeError, match="must be a name"):
        corpora.load(5)


# ---- the Declaration and the emoji

def test_the_declaration_has_30_articles_in_46_languages():
    rows = corpora.udhr()
    assert len(rows) == 46 and len({row["code"] for row in rows}) == 46
    for row in rows:
        assert set(row) == {"code", "bcp47", "name", "articles"}
        assert len(row["articles"]) == 30 and all(article == article.strip() != "" for article in row["articles"])
    assert rows[0]["articles"][0].startswith("All human beings are born free and equal")


def test_article_1_has_516_versions_and_agrees_with_the_whole():
    rows = corpora.udhr_article1()
    assert len(rows) == 516 and all(set(row) == {"code", "bcp47", "name", "text"} and all(row.values()) for row in rows)
    text = {row["code"]: row["text"] for row in rows}
    assert len(text) == 516
    for row in corpora.udhr():
        assert row["articles"][0].split() == text[row["code"]].split()


def test_languages_names_those_of_the_declaration():
    assert list(corpora.languages().items()) == [(row["code"], row["name"]) for row in corpora.udhr()]


def test_each_language_has_a_name_in_its_own_script():
    own = corpora.languages(own=True)
    assert list(own) == list(corpora.languages()) and len(set(own.values())) == 46
    assert (own["eng"], own["deu_1996"], own["ell_monotonic"], own["jpn"]) == ("English", "Deutsch", "Ελληνικά", "日本語")
    scripts = {code: script_counts(name) for code, name in own.items()}
    for row in corpora.udhr():          # the script of the name is one in which the text is written
        assert scripts[row["code"]].keys() <= script_counts("".join(row["articles"])).keys(), row["code"]


def test_emoji_are_those_of_unicode_15():
    rows = corpora.emoji()
    assert len(rows) == 3664 and len({row["emoji"] for row in rows}) == 3664
    assert {row["status"] for row in rows} == {"fully-qualified", "component"}
    by_name = {row["name"]: row for row in rows}
    assert by_name["family: man, woman, girl, boy"]["emoji"] == "👨\u200d👩\u200d👧\u200d👦"
    assert by_name["flag: France"]["code_points"] == [0x1F1EB, 0x1F1F7]
    for row in rows:
        assert [ord(character) for character in row["emoji"]] == row["code_points"]
    for row in rows:
        if len(row["code_points"]) == 1 and row["version"] < "13":
            assert unicodedata.name(row["emoji"])


def test_results_can_be_changed_without_harm():
    for function in (corpora.udhr, corpora.udhr_article1, corpora.languages, corpora.emoji):
        before = json.dumps(function())
        result = function()
        (result if isinstance(result, list) else list(result)).clear()
        for row in function() if isinstance(result, list) else []:
            row.clear()
        assert json.dumps(function()) == before
