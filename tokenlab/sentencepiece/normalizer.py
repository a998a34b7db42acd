"""What SentencePiece does to a text before it looks for pieces: four stages, all of them data in the model file."""
import re
import struct
from copy import copy

from ..errors import need_text

BLANK = "▁"                     # U+2581, the character that stands for a blank
_LABEL, _LEAF, _VALUE = 0x800000FF, 0x100, 0x7FFFFFFF
LONGEST = 1000                  # bytes of what is replaced, or written for it


class CharacterMap:
    """A model's own table of characters and what to write for them: a compiled trie, walked byte by byte.

    compiled: the bytes of `precompiled_charsmap`: the size of the trie (4 bytes, little-endian), the trie as a double
    array of 32-bit units, then the replacements in UTF-8, each ended by a zero byte.

    Raises ValueError for sizes that do not fit and for references to nowhere; what leads in circles shows in use.
    Source: the format of s-yata/darts-clone, which SentencePiece uses. Lesson 8.

    >>> from tokenlab import pretrained
    >>> table = pretrained.load("t5").normalizer.table
    >>> [table.longest(character.encode()) for character in "①½a"]      # what is written, for how many bytes
    [(b'1', 3), (b'1\\xe2\\x81\\x842', 2), None]
    """

    def __init__(self, compiled):
        size = int.from_bytes(compiled[:4], "little")
        self._texts = compiled[4 + size:]
        if size % 1024 or not 0 < size < len(compiled) - 4 or self._texts[-1]:
            raise ValueError(f"this is not a character map: {len(compiled)} bytes announce a trie of {size} (a multiple of 1024) "
                             f"and need texts after it, ended by a zero byte")
        self._units = units = struct.unpack(f"<{size // 4}I", compiled[4:4 + size])
        self._next = targets = [node ^ (unit >> 10 << (unit >> 6 & 8)) for node, unit in enumerate(units)]
        if max(map(len, self._texts.decode().split("\0"))) > LONGEST:
            raise ValueError(f"this is not a character map: one of its texts is longer than {LONGEST}")
        for node, unit in enumerate(units):
            if unit >> 31 and node:                             # a value: nothing starts from here
                continue
            text = units[targets[node]] & _VALUE if targets[node] < len(units) and unit & _LEAF else 0
            if targets[node] >= len(units) or unit >> 31 or text >= len(self._texts) or self._texts[text] & 0xC0 == 0x80:
                raise ValueError(f"this is not a character map: unit {node} of its trie leads out of it")

        def below(node):
            return [child for byte in range(128) if units[child := targets[node] ^ byte] & _LABEL == byte]

        # An ASCII character that is no entry, and with no other begins one, always stays as it is before another.
        changed = b"".join(b"\\x%02x" % (units[node] & 0xFF) for node in below(0) if units[node] & _LEAF or below(node))
        self._plain = re.compile(b"[^%s\x80-\xff]+(?![\x80-\xff])" % changed)

    def longest(self, data, at=0):
        """Return (new, end) of the longest entry that `data` (bytes) holds at index `at`, None if there is none."""
        node, found = self._next[0], None
        for end in range(at, len(data)):
            node ^= data[end]
            unit = self._units[node]
            if unit & _LABEL != data[end]:
                break
            node = self._next[node]
            if end - at == LONGEST or unit & _LEAF and b"\x7f" < data[end + 1:end + 2] < b"\xc0":
                raise ValueError(f"the character map is damaged: an entry ends within a character, or has over {LONGEST} bytes")
            if unit & _LEAF:
                found = self._units[node] & _VALUE, end + 1
        return found and (self._texts[found[0]:self._texts.index(0, found[0])], found[1])

    def apply(self, data):
        """Yield (new, old): what is written, and the part of `data` it stands for; from left to right, the longest entry first."""
        at = 0
        while at < len(data):
            if run := self._plain.match(data, at):                      # most of an English text, at once
                new, end = run[0], run.end()
            else:
                size = 1 + (data[at] >= 0xC0) + (data[at] >= 0xE0) + (data[at] >= 0xF0)
                new, end = self.longest(data, at) or (data[at:at + size], at + size)
            yield new, data[at:end]
            at = end


class Normalizer:
    """The stages from a text to what pieces are sought in; each is a setting of the model file.

    charsmap: the model's compiled character map (bytes, see `CharacterMap`), b"" for none. The others are as in the
    file: whether a blank is put before the text, whether rows of blanks become one and those at both ends go, whether
    ▁ is written for a blank.

    Raises ValueError for a damaged character map.
    Source: Kudo and Richardson 2018, SentencePiece, 3.2 and 3.3; its normalizer.cc for the order. Lesson 8.

    >>> Normalizer()("two  words ")
    '▁two▁words'
    """

    def __init__(self, charsmap=b"", *, add_dummy_prefix=True, remove_extra_whitespaces=True, escape_whitespaces=True):
        self.charsmap, self.add_dummy_prefix = charsmap, add_dummy_prefix
        self.remove_extra_whitespaces, self.escape_whitespaces = remove_extra_whitespaces, escape_whitespaces
        self.table = CharacterMap(charsmap) if charsmap else None
        self.blank = BLANK if escape_whitespaces else " "
        self.kept = re.compile("((?!))")                        # what the map leaves as it is: nothing

    def keeping(self, symbols):
        """Return a Normalizer whose map leaves `symbols` (user-defined, a collection of str) as they are."""
        new = copy(self)
        new.kept = re.compile("(%s)" % ("|".join(map(re.escape, sorted(symbols, key=len, reverse=True))) or "(?!)"))
        return new

    def __call__(self, s):
        """Return the text in which pieces are sought."""
        return self.stages(s)[-1][1]

    def stages(self, s):
        """Return the text after each stage: a list of (stage, str). Raises ValueError for a lone surrogate.

        >>> for stage, text in Normalizer().stages(" two  words"):
        ...     print(f"{stage:14}{text!r}")
        text          ' two  words'
        character map ' two  words'
        extra blanks  'two words'
        dummy prefix  ' two words'
        ▁ for blank   '▁two▁words'
        """
        mapped = b"".join(new for new, _ in self._map(need_text(s))).decode()
        fewer = re.sub("  +", " ", mapped.strip(" ")) if self.remove_extra_whitespaces else mapped
        prefixed = " " + fewer if self.add_dummy_prefix and s else fewer
        last = prefixed.replace(" ", self.blank)
        if self.remove_extra_whitespaces:                       # this takes a ▁ that the text itself ends with, too
            last = last.rstrip(self.blank)
        return [("text", s), ("character map", mapped), ("extra blanks", fewer), ("dummy prefix", prefixed), ("▁ for blank", last)]

    def align(self, s):
        """Return (character, start, end) for each character of the normalized text: where in the UTF-8 bytes of `s` it is from.

        >>> Normalizer().align(" a  b")
        [('▁', 1, 1), ('a', 1, 2), ('▁', 2, 3), ('b', 4, 5)]
        """
        places, before, start = [], " ", 0
        for new, old in self._map(need_text(s)):
            same, after = new == old, start + len(old)
            for character in new.decode():
                end = start + len(character.encode()) if same else after
                if not (self.remove_extra_whitespaces and before == character == " "):
                    places.append((start, end))
                before, start = character, end if same else start
            start = after
        if self.add_dummy_prefix:
            places.insert(0, (places or [(0, 0)])[0][:1] * 2)
        return [(character, *place) for character, place in zip(self(s), places)]

    def _map(self, s):
        """Yield (new, old) as `CharacterMap.apply` does; what is kept is not looked up."""
        for number, part in enumerate(self.kept.split(s)):
            data = part.encode()
            yield from self.table.apply(data) if self.table and number % 2 == 0 else [(data, data)]
