#!/usr/bin/python3
"""Print similarities and base forms by NLTK, one a line, for reference_test.go.

Usage: /usr/bin/python3 by_nltk.py DICT, where DICT is a WordNet dict folder with all parts of speech.
Needs NLTK (Debian: python3-nltk); without it the exit code is 3. The lines, fields separated by tabs:

    one      SENSE  SENSE  SIMILARITY   500 pairs of nouns, each with one path to the root
    several  SENSE  SENSE  SIMILARITY   500 pairs of nouns, one of them with several paths
    base     FORM   POS    BASE         2,000 inflected forms with NLTK's base form, or nothing; words on -s are not
                                        drawn, since NLTK lacks WordNet's rule that nouns on -ss are no plurals
"""
import os
import random
import sys
import tempfile

try:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
except ImportError as err:
    print(err, file=sys.stderr)
    sys.exit(3)


def reader(dict_folder, scratch):
    """A reader of the folder. NLTK asks for a list of lexicographer files, which Debian's package lacks and which no
    similarity depends on."""
    for name in os.listdir(dict_folder):
        os.symlink(os.path.join(os.path.abspath(dict_folder), name), os.path.join(scratch, name))
    names = os.path.join(scratch, "lexnames")
    if not os.path.exists(names):
        with open(names, "w") as out:
            out.writelines("%02d\tfile%02d\t1\n" % (i, i) for i in range(45))
    return WordNetCorpusReader(scratch, None)


def pairs(draw, nouns, first):
    """500 pairs. Half are drawn at random and so are far apart; in the others the second is near the first."""
    allowed = set(nouns)
    while True:
        a = draw.choice(first)
        b = draw.choice(nouns)
        if draw.random() < 0.5:
            up = a
            for _ in range(draw.randint(1, 4)):
                up = draw.choice(up.hypernyms() or [up])
            near = [s for s in up.closure(lambda s: s.hyponyms(), depth=3) if s in allowed]
            b = draw.choice(near or [b])
        yield a, b


def main():
    draw = random.Random(16)
    with tempfile.TemporaryDirectory() as scratch:
        wn = reader(sys.argv[1], scratch)
        nouns = list(wn.all_synsets("n"))
        one = [s for s in nouns if len(s.hypernym_paths()) == 1]
        several = [s for s in nouns if len(s.hypernym_paths()) > 1]
        for name, others, first in (("one", one, one), ("several", nouns, several)):
            for _, (a, b) in zip(range(500), pairs(draw, others, first)):
                print(name, a.name(), b.name(), repr(a.wup_similarity(b)), sep="\t")
        for pos, endings in (("n", ("s", "es")), ("v", ("s", "ed", "ing"))):
            words = sorted(w for w in wn.all_lemma_names(pos) if w.isalpha() and len(w) > 2 and not w.endswith("s"))
            for word in draw.sample(words, 1000):
                form = word + draw.choice(endings)
                print("base", form, pos, wn.morphy(form, pos) or "", sep="\t")


main()
