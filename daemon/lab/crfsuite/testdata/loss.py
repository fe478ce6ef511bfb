#!/usr/bin/env python3
"""The smallest loss of a chain on train.txt with c2 = 1: all labellings are enumerated, and the loss is minimised by
gradient descent. Prints the number of weights, the loss and its largest slope."""
import itertools
import math

C2 = 1.0
LABELS = ["B", "I", "O"]
# weight, then for each item its label, page features and link features
SEQUENCES = [
    (1, [("B", ["w=An", "pos=DT", "bos"], []), ("I", ["w=A.P.", "pos=NNP"], ["a=x"]), ("O", ["w=said", "pos=VBD"], ["a=y"])]),
    (2, [("O", ["w=said", "pos=VBD", "w[0]=:"], []), ("B", ["w=An", "pos=DT"], [])]),
]


def on(items, labels):
    """What is on in a labelling: (kind, feature or label before, label)."""
    for t, ((_, page, link), y) in enumerate(zip(items, labels)):
        yield from (("page", f, y) for f in page)
        if t > 0:
            yield from (("link", f, y) for f in link)
            yield ("step", labels[t - 1], y)


def given(items):
    return [label for label, _, _ in items]


WEIGHTS = {k: i for i, k in enumerate(sorted({k for _, items in SEQUENCES for k in on(items, given(items))}))}


def numbers(items, labels):
    return [WEIGHTS[k] for k in on(items, labels) if k in WEIGHTS]


def loss(w):
    value, slope = C2 * sum(x * x for x in w), [2 * C2 * x for x in w]
    for weight, items in SEQUENCES:
        all_ = [numbers(items, y) for y in itertools.product(LABELS, repeat=len(items))]
        scores = [sum(w[i] for i in labelling) for labelling in all_]
        z = sum(math.exp(s) for s in scores)
        right = numbers(items, given(items))
        value += weight * (math.log(z) - sum(w[i] for i in right))
        for s, labelling in zip(scores, all_):
            for i in labelling:
                slope[i] += weight * math.exp(s) / z
        for i in right:
            slope[i] -= weight
    return value, slope


w = [0.0] * len(WEIGHTS)
for _ in range(2000):
    value, slope = loss(w)
    w = [a - 0.08 * b for a, b in zip(w, slope)]
print(len(w), repr(value), max(map(abs, slope)))
