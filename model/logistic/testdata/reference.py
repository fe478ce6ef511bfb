#!/usr/bin/python3
"""Makes reference.json: python3 reference.py > reference.json (scikit-learn 1.2.1, numpy 1.24.2).

Logistic regression is minimised by newton-cg, since lbfgs stops at a relative change of 2e-9; the minimum is the same.
Platt's sigmoid comes from _sigmoid_calibration, whose search stops at a gradient of 1e-5, and isotonic regression from
IsotonicRegression.
"""
import json
import warnings

import numpy as np
import sklearn
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("error")
rng = np.random.default_rng(20)


def rounded(a, digits=12):
    return np.round(np.asarray(a, dtype=float), digits).tolist()


def regression(classes, weighted, c):
    n, columns = 24, 9
    x = np.where(rng.random((n, columns)) < 0.5, rng.integers(-8, 9, (n, columns)) / 4, 0)  # exact in float32
    y = np.arange(n) % classes
    x[np.arange(n), y] += 1
    w = rng.integers(1, 9, n) / 4 if weighted else np.ones(n)
    fit = LogisticRegression(C=c, solver="newton-cg", multi_class="auto" if classes == 2 else "multinomial", tol=1e-7, max_iter=10000)
    fit.fit(x, y, sample_weight=w)
    return {"classes": classes, "c": c, "x": x.tolist(), "y": y.tolist(), "weight": w.tolist(),
            "coef": rounded(fit.coef_), "intercept": rounded(fit.intercept_), "probabilities": rounded(fit.predict_proba(x))}


def calibration(n, ties, weighted):
    y = rng.random(n) < 0.3
    scores = rng.normal(size=n) + 1.5 * y
    if ties:
        scores = np.round(scores)
    w = rng.integers(1, 9, n) / 4 if weighted else np.ones(n)
    at = np.linspace(-3, 4, 15)
    a, b = _sigmoid_calibration(scores, y.astype(float), w)
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(scores, y.astype(float), w)
    return {"scores": rounded(scores), "positive": y.tolist(), "weight": w.tolist(), "a": a, "b": b,
            "at": at.tolist(), "isotonic": rounded(isotonic.predict(at))}


print(json.dumps({
    "made_by": "reference.py beside this file, scikit-learn " + sklearn.__version__,
    "regression": [regression(k, w, c) for k in (2, 3, 4) for w in (False, True) for c in (0.1, 1, 10)],
    "calibration": [calibration(n, t, w) for n in (12, 60) for t in (False, True) for w in (False, True)],
}).replace('{"classes"', '\n{"classes"').replace('{"scores"', '\n{"scores"'))
