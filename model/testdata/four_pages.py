"""Writes four_pages.json: the formulas of Panorama on four pages, each straight from its definition.

Run it in this folder: python3 four_pages.py > four_pages.json
"""
import json
import math
import sys

PAGES = [
    {"crawl": 3, "hub": 2, "web": 1},
    {"crawl": 1, "hub": 1, "page": 2},
    {"frog": 4, "pond": 2, "web": 1},
    {"frog": 1, "pond": 3, "page": 1},
]
LATER = {"crawl": 1, "frog": 2, "web": 1, "unseen": 5}  # not of the collection
POSITIVE = [True, True, False, False]
CLUSTER = [0, 0, 1, 1]
LINKS = [[0, 1], [0, 2], [1, 2], [1, 0], [3, 2], [2, 3], [3, 0]]

terms = sorted({t for p in PAGES for t in p})
df = {t: sum(t in p for p in PAGES) for t in terms}


def weigh(page):  # (3.1), 0 for a term that is not in the page
    most = max(page.values())
    return [(0.5 + 0.5 * page[t] / most) * math.log(len(PAGES) / df[t]) if t in page else 0.0 for t in terms]


def unit(v):
    norm = math.sqrt(sum(x * x for x in v))
    return [x / norm for x in v]


def dot(v, w):
    return sum(x * y for x, y in zip(v, w))


def cosine(v, w):  # (3.2)
    return dot(v, w) / math.sqrt(dot(v, v) * dot(w, w))


weights = [weigh(p) for p in PAGES]
later = weigh(LATER)

# Multinomial Naive Bayes over the weights, one added to each sum.
sums = {c: [sum(w[t] for w, p in zip(weights, POSITIVE) if p == c) for t in range(len(terms))] for c in (True, False)}
log_word = {c: [math.log((1 + s) / (len(terms) + sum(sums[c]))) for s in sums[c]] for c in sums}
joint = {c: math.log(POSITIVE.count(c) / len(PAGES)) + dot(later, log_word[c]) for c in sums}
odds = joint[True] - joint[False]

units = [unit(w) for w in weights]


def sums_of(vectors):  # (3.6)
    return [[sum(x) for x in zip(*[v for v, k in zip(vectors, CLUSTER) if k == c])] for c in (0, 1)]


def centres_of(vectors):  # (3.3)
    return [[x / CLUSTER.count(c) for x in v] for c, v in enumerate(sums_of(vectors))]


centres = centres_of(units)
similarity = [[cosine(u, q) for u in units] for q in centres]


def hubs_and_authorities(d):  # (3.5), and (3.4) when d is 1
    m = len(PAGES)
    h = [1 / math.sqrt(m)] * m
    for _ in range(100):
        a = [sum(d[i] * h[i] for i, j in LINKS if j == to) for to in range(m)]
        h = [sum(d[j] * a[j] for i, j in LINKS if i == source) for source in range(m)]
        a, h = unit(a), unit(h)
    return {"hubs": h, "authorities": a}


profiles = sums_of(units)
unscaled = {  # as printed: vectors of any length
    "objective": sum(math.sqrt(dot(p, p)) for p in sums_of(weights)),
    "centres": centres_of(weights), "profiles": sums_of(weights),
    "similarity": [[cosine(w, q) for w in weights] for q in centres_of(weights)],
    "between": cosine(*centres_of(weights)),
}

json.dump({
    "pages": PAGES, "later": LATER, "positive": POSITIVE, "cluster": CLUSTER, "links": LINKS,
    "terms": terms, "weights": weights, "later_weights": later,
    "log_word_positive": log_word[True], "log_word_negative": log_word[False],
    "later_log_odds": odds, "later_probability": 1 / (1 + math.exp(-odds)),
    "objective": sum(math.sqrt(dot(p, p)) for p in profiles),
    "centres": centres, "similarity": similarity, "between": cosine(*centres),
    "plain": hubs_and_authorities([1] * len(PAGES)),
    "biased": [hubs_and_authorities(s) for s in similarity],
    "profiles": profiles, "unscaled": unscaled,
}, sys.stdout, indent=1)
print()
