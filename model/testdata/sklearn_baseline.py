#!/usr/bin/env python3
"""The steps of a training as scikit-learn does them, timed: what ours are compared with.

    sklearn_baseline.py --rank K [--seed S] [--min-clusters 3] [--max-clusters 8] < documents.jsonl > result.json

Each line of the input is a page: {"text": str, "state": int, "target": bool, "background": bool}. text is what a
reader of the page sees, state its hop label, target whether it was marked useful. Background pages are of other
origin: only the logistic regressions read them, as useless and as the state farthest away.

The result is {"version", "pages", "terms", "rank", "steps": [{"name", "seconds", "cpu_seconds"}...], "peak_bytes", "import_bytes",
"clusters", "bic", "accuracy"}. Steps:

    tfidf              TfidfVectorizer with its own tokens and English stop words; no stemming
    svd-arpack         TruncatedSVD of rank K, algorithm "arpack", and the documents' unit coordinates
    svd-randomized     the same with algorithm "randomized"
    kmeans             KMeans for each number of clusters, ten starts each, and the BIC of each
    kmeans-one-start   the same with one start
    count-background   CountVectorizer on the background pages
    log-tf             the regressions' weights, made of the counts of all pages: log-tf TF-IDF
    logistic-states    LogisticRegression over the hop states
    logistic-useful    LogisticRegression of useful against all other pages
    logistic-calibrated  the same, calibrated by Platt's sigmoid on five folds, as a training does

What Python loads when a step first needs it is loaded before the clock runs. Threads are limited by OMP_NUM_THREADS and
the like, which the caller sets. Exit status 3: scikit-learn is missing.
"""
import argparse
import json
import math
import resource
import sys
import time
import warnings

try:
    import numpy
    import sklearn
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import normalize
except ImportError as error:
    print(f"scikit-learn is not installed: apt-get install python3-sklearn ({error})", file=sys.stderr)
    sys.exit(3)


def peak_bytes():
    """The most memory this process held. getrusage would count in the process that started this one."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) << 10
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


class Clock:
    """Seconds of the steps, in the order they were run."""

    def __init__(self):
        self.steps = []

    def run(self, name, step):
        began, spent = time.perf_counter(), time.process_time()
        result = step()
        seconds, spent = time.perf_counter() - began, time.process_time() - spent
        self.steps.append({"name": name, "seconds": seconds, "cpu_seconds": spent})
        return result


def bic(points, model):
    """BIC of a clustering as X-means has it: one variance for all clusters; -inf where there is none."""
    r, m = points.shape
    k = len(model.cluster_centers_)
    if r <= k or model.inertia_ <= 0:
        return -math.inf
    variance = model.inertia_ / (m * (r - k))
    sizes = numpy.bincount(model.labels_, minlength=k)
    sizes = sizes[sizes > 0]
    likelihood = float((sizes * numpy.log(sizes / r)).sum())
    likelihood -= r * m / 2 * math.log(2 * math.pi * variance) + m * (r - k) / 2
    return likelihood - ((k - 1) + k * m + 1) / 2 * math.log(r)


def best_kmeans(points, low, high, starts, seed):
    """The number of clusters of best BIC, and that BIC."""
    best = (-math.inf, 0)
    for k in range(low, min(high, len(points)) + 1):
        model = KMeans(n_clusters=k, n_init=starts, random_state=seed).fit(points)
        best = max(best, (bic(points, model), k))
    return best[1], best[0]


def svd(weights, rank, algorithm, seed):
    """Unit coordinates of the documents in the space of the rank."""
    model = TruncatedSVD(n_components=rank, algorithm=algorithm, random_state=seed)
    return normalize(model.fit_transform(weights))


def regression():
    """A regularised multinomial logistic regression with classes of equal weight."""
    return LogisticRegression(class_weight="balanced", max_iter=1000)


def fit_logistic(pages, clock):
    """Times the regressions; the share of pages whose state the first gives back, None when all states are one."""
    # The words are counted once more, outside the clock: a training counts them in its first step. A word of one page
    # only is no feature, and the most frequent ones are kept.
    counts = CountVectorizer(stop_words="english", min_df=2, max_features=60_000).fit_transform(p["text"] for p in pages)
    log_tf = clock.run("log-tf", lambda: TfidfTransformer(sublinear_tf=True).fit_transform(counts))
    farthest = max(p["state"] for p in pages if not p.get("background"))
    states = numpy.array([farthest if p.get("background") else p["state"] for p in pages])
    useful = numpy.array([p["target"] for p in pages])
    if len(set(states)) < 2:
        return None
    fitted = clock.run("logistic-states", lambda: regression().fit(log_tf, states))
    if 0 < useful.sum() < len(useful):
        clock.run("logistic-useful", lambda: regression().fit(log_tf, useful))
    folds = min(5, useful.sum(), len(useful) - useful.sum())
    if folds > 1:
        calibrated = CalibratedClassifierCV(regression(), method="sigmoid", cv=folds, ensemble=False)
        clock.run("logistic-calibrated", lambda: calibrated.fit(log_tf, useful))
    return float(fitted.score(log_tf, states))


def measure(pages, rank, low, high, seed):
    """Runs all steps on the pages."""
    session = [p for p in pages if not p.get("background")]
    texts = [p["text"] for p in session]
    clock = Clock()
    weights = clock.run("tfidf", lambda: TfidfVectorizer(stop_words="english").fit_transform(texts))
    other = [p["text"] for p in pages if p.get("background")]
    clock.run("count-background", lambda: other and CountVectorizer(stop_words="english").fit_transform(other))
    rank = max(1, min(rank, min(weights.shape) - 1))
    clock.run("svd-arpack", lambda: svd(weights, rank, "arpack", seed))
    points = clock.run("svd-randomized", lambda: svd(weights, rank, "randomized", seed))
    points = points[[not p["target"] for p in session]]
    clusters, best = clock.run("kmeans", lambda: best_kmeans(points, low, high, 10, seed))
    clock.run("kmeans-one-start", lambda: best_kmeans(points, low, high, 1, seed))
    accuracy = fit_logistic(pages, clock)
    return {
        "version": sklearn.__version__, "pages": len(session), "terms": weights.shape[1], "rank": rank,
        "steps": clock.steps, "clusters": clusters, "bic": best if math.isfinite(best) else None, "accuracy": accuracy,
    }


def warm_up():
    """Runs all steps once on made-up pages, so that no step's seconds hold the loading of code."""
    words = [f"word{i}" for i in range(40)]
    pages = [{"text": " ".join(words[i:] + words[: i // 2]), "state": i % 3, "target": i % 3 == 0} for i in range(30)]
    measure(pages, 2, 3, 8, 1)


def main():
    parser = argparse.ArgumentParser(description="Times the steps of a training by scikit-learn.")
    parser.add_argument("--rank", type=int, required=True, help="dimensions of the truncated SVD")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--min-clusters", type=int, default=3)
    parser.add_argument("--max-clusters", type=int, default=8)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    pages = [json.loads(line) for line in sys.stdin if line.strip()]
    warm_up()
    loaded = peak_bytes()
    result = measure(pages, options.rank, options.min_clusters, options.max_clusters, options.seed)
    result["import_bytes"], result["peak_bytes"] = loaded, peak_bytes()
    json.dump(result, sys.stdout)
    print()


if __name__ == "__main__":
    main()
