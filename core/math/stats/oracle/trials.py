#!/usr/bin/env python3
"""Writes core/math/stats/testdata/trials.json: results of scipy, statsmodels and R for sets of
trials with ties, zeros and shares of 2 to 7, for tables of raters and for separated data.

Run from the repository root with Debian's python3-scipy, python3-statsmodels,
r-cran-exactranktests, r-cran-brglm2 and r-cran-sandwich:

    python3 core/math/stats/oracle/trials.py > core/math/stats/testdata/trials.json
"""
import json
import math
import pathlib
import random
import subprocess
import warnings
from fractions import Fraction

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

warnings.simplefilter("ignore")
draw = random.Random(20261128)
lines = []  # for R


def number(x):
    return None if x is None or math.isnan(x) else float(x)


def shares(tasks):
    """Tasks with 2 to 7 trials on each side, as pairs of (successes, trials)."""
    trials, other, ease = draw.randrange(2, 8), draw.randrange(2, 8), draw.choice((0.3, 0.5, 0.9))
    if draw.random() < 0.7:
        other = trials
    lift = draw.choice((0, 0, 0.15, 0.3))
    win = lambda n, p: sum(draw.random() < p for _ in range(n))
    return [(win(trials, ease), trials, win(other, min(1, ease + lift)), other) for _ in range(tasks)]


paired = []
for i in range(500):
    rows = shares(draw.randrange(2, 41))
    d = [Fraction(b, n) - Fraction(a, m) for a, m, b, n in rows]
    scale = math.lcm(*(x.denominator for x in d))
    whole = [int(x * scale) for x in d]
    t = stats.ttest_1samp([float(x) for x in d], 0) if len(set(d)) > 1 else None
    row = {"rows": rows, "mean": float(sum(d) / len(d)), "t": t and number(t.statistic), "p": t and number(t.pvalue), "wp": None}
    if any(whole):
        lines.append(("wp", row, "signed " + " ".join(map(str, whole))))
    a, b = [Fraction(r[0], r[1]) for r in rows], [Fraction(r[2], r[3]) for r in rows]
    if len(rows) > 3 and len(set(a)) > 1 and len(set(b)) > 1:
        rank = lambda v: stats.rankdata([int(x * math.lcm(*(y.denominator for y in v))) for x in v])
        p, s = stats.pearsonr([float(x) for x in a], [float(x) for x in b]), stats.pearsonr(rank(a), rank(b))
        row.update(r=number(p[0]), rp=number(p[1]), rho=number(s[0]), rhop=number(s[1]))
    k = draw.randrange(1, min(r[1] for r in rows) + 1)
    hat = [Fraction(math.comb(c, k), math.comb(n, k)) for c, n, _, _ in rows]
    at = [1 - Fraction(math.comb(n - c, k), math.comb(n, k)) for c, n, _, _ in rows]
    row["k"] = k
    for name, v in (("hat", hat), ("at", at)):
        f = [float(x) for x in v]
        low, high = stats.t.interval(0.95, len(f) - 1, numpy.mean(f), stats.sem(f)) if len(set(v)) > 1 else (None, None)
        row[name] = [float(sum(v) / len(v)), number(low), number(high)]
    paired.append(row)

boot = []
for i in range(20):
    rows = shares(draw.randrange(10, 60))
    d = numpy.array([b / n - a / m for a, m, b, n in rows])
    if d.std() > 0:
        i = stats.bootstrap((d,), numpy.mean, method="percentile", n_resamples=20000, random_state=1).confidence_interval
        boot.append({"rows": rows, "low": i.low, "high": i.high, "se": float(stats.sem(d))})

wilson = [{"n": n, "k": k, "ends": list(map(float, proportion_confint(k, n, method="wilson")))} for n, k in ((n, draw.randrange(n + 1)) for n in (draw.randrange(1, 300) for _ in range(100)))]
wilson += [{"n": n, "k": n, "ends": list(map(float, proportion_confint(n, n, method="wilson")))} for n in range(1, 9)]
changed = [{"gained": b, "lost": c, "p": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue)} for b, c in ((draw.randrange(1, 60), draw.randrange(60)) for _ in range(100))]
holm = []
for i in range(60):
    ps = [round(draw.random() ** 3, 6) for _ in range(draw.randrange(1, 10))]
    holm.append({"p": ps, "adjusted": list(multipletests(ps, method="holm")[1])})
power = []
for i in range(40):
    effect, alpha = round(draw.uniform(0.15, 1.2), 3), draw.choice((0.05, 0.05 / 8))
    power.append({"effect": effect, "alpha": alpha, "n": float(TTestPower().solve_power(effect_size=effect, alpha=alpha, power=0.8))})

cohen = []
for i in range(120):
    c = draw.randrange(2, 8)
    table = [[0] * c for _ in range(c)]
    for _ in range(draw.randrange(5, 120)):
        a = draw.randrange(c)
        table[a][a if draw.random() < 0.6 else draw.randrange(c)] += 1
    if sum(table[i][j] for i in range(c) for j in range(c) if i != j) == 0:
        continue
    k = cohens_kappa(numpy.array(table))
    cohen.append({"table": table, "kappa": float(k.kappa), "se": float(k.std_kappa)})
fleiss = []
for i in range(80):
    raters, c, subjects = draw.randrange(2, 8), draw.randrange(2, 8), draw.randrange(5, 40)
    table = []
    for _ in range(subjects):
        best, row = draw.randrange(c), [0] * c
        for _ in range(raters):
            row[best if draw.random() < 0.6 else draw.randrange(c)] += 1
        table.append(row)
    left = numpy.array([fleiss_kappa(numpy.delete(numpy.array(table), i, 0)) for i in range(subjects)])
    se = math.sqrt((subjects - 1) / subjects * ((left - left.mean()) ** 2).sum())
    fleiss.append({"table": table, "kappa": float(fleiss_kappa(table)), "se": se})

cluster = []
for i in range(60):
    k, x, y, g = draw.randrange(1, 4), [], [], []
    for task in range(draw.randrange(12, 40)):
        ease = draw.gauss(0, 0.8)
        for _ in range(draw.randrange(2, 8)):
            row = [float(draw.randrange(4)) for _ in range(k)]
            x.append(row)
            g.append(task)
            y.append(int(draw.random() < 1 / (1 + math.exp(-(0.5 + ease - 0.4 * row[0])))))
    model = sm.Logit(numpy.array(y), sm.add_constant(numpy.array(x)))
    fit = model.fit(disp=0, tol=1e-14, maxiter=200, cov_type="cluster", cov_kwds={"groups": numpy.array(g)})
    ends = fit.conf_int()
    row = {"x": x, "y": y, "tasks": g, "se": list(map(float, fit.bse)), "p": list(map(float, fit.pvalues)), "low": list(map(float, ends[:, 0])), "high": list(map(float, ends[:, 1])), "r": None}
    lines.append(("r", row, f"cluster {k} " + " ".join(" ".join(map(str, [a, b, *c])) for a, b, c in zip(y, g, x))))
    cluster.append(row)


def penalised(x, y, b):
    eta = x @ b
    p = 1 / (1 + numpy.exp(-eta))
    sign, det = numpy.linalg.slogdet((x.T * (p * (1 - p))) @ x)
    return (y * eta - numpy.logaddexp(0, eta)).sum() + det / 2 if sign > 0 else -1e300


def ceiling(x, y, start, j=None, value=0.0):
    """The maximum of the penalised likelihood, with coefficient j held if it is given."""
    free = [i for i in range(len(start)) if i != j]
    full = lambda v: numpy.insert(v, j, value) if j is not None else numpy.array(v)
    if len(free) == 1:  # there may be two maxima, so a grid comes first
        one = lambda c: -penalised(x, y, full(numpy.array([c])))
        grid = numpy.linspace(-60, 60, 601)
        c = grid[numpy.argmin([one(c) for c in grid])]
        best = optimize.minimize_scalar(one, bounds=(c - 0.3, c + 0.3), method="bounded", options={"xatol": 1e-10})
        return -best.fun, full(numpy.array([best.x]))
    near = numpy.array(start, dtype=float)[free]
    best = optimize.minimize(lambda v: -penalised(x, y, full(v)), near, method="BFGS", options={"gtol": 1e-7})
    best = optimize.minimize(lambda v: -penalised(x, y, full(v)), best.x, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    return -best.fun, full(best.x)


firth = []
while len(firth) < 30:
    k, n = 1 + len(firth) // 22, draw.randrange(8, 24)
    x = [[float(draw.randrange(5)) for _ in range(k)] for _ in range(n)]
    cut = draw.randrange(1, 4)
    y = [int(r[0] >= cut) for r in x]  # separated by the first covariate
    m, v = numpy.column_stack([numpy.ones(n), numpy.array(x)]), numpy.array(y)
    if len(set(y)) < 2 or numpy.linalg.matrix_rank(m) <= k:
        continue
    top, b = ceiling(m, v, [0.0] * (k + 1))
    row = {"x": x, "y": y, "p": [], "low": [], "high": [], "r": None}
    for j in range(k + 1):
        fall = lambda c: 2 * (top - ceiling(m, v, b, j, c)[0])
        row["p"].append(float(stats.chi2.sf(fall(0.0), 1)))
        limit = stats.chi2.isf(0.05, 1)
        for name, side in (("low", -1), ("high", 1)):
            if k > 1:  # only one covariate can be searched by a grid
                row[name].append(None)
                continue
            far = 1.0
            while fall(b[j] + side * far) < limit and far < 1e4:
                far *= 2
            row[name].append(float(optimize.brentq(lambda c: fall(c) - limit, b[j], b[j] + side * far, xtol=1e-8)) if far < 1e4 else None)
    lines.append(("r", row, f"firth {k} " + " ".join(" ".join(map(str, [a, *c])) for a, c in zip(y, x))))
    firth.append(row)

r = subprocess.run(["Rscript", str(pathlib.Path(__file__).with_name("trials.R"))], input="\n".join(line for _, _, line in lines) + "\n", capture_output=True, text=True, check=True).stdout.strip().split("\n")
for (name, row, _), answer in zip(lines, r):
    v = [float(x) for x in answer.split()]
    row[name] = v[0] if name == "wp" else v


def short(x):
    """Numbers of 14 digits, which is more than the tests compare."""
    if isinstance(x, float):
        return int(x) if x == int(x) else float(f"{x:.14g}")
    if isinstance(x, dict):
        return {k: short(v) for k, v in x.items()}
    return [short(v) for v in x] if isinstance(x, (list, tuple)) else x


made = f"core/math/stats/oracle/trials.py, seed 20261128: scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, R packages {r[-1].strip()}"
out = {"paired": paired, "boot": boot, "wilson": wilson, "mcnemar": changed, "holm": holm, "power": power, "cohen": cohen, "fleiss": fleiss, "cluster": cluster, "firth": firth}
print('{"made by":' + json.dumps(made))
for name, rows in out.items():
    print(f',"{name}":[\n' + ",\n".join(json.dumps(short(r), separators=(",", ":")) for r in rows) + "]")
print("}")
