#!/usr/bin/env python3
"""Writes core/math/stats/testdata/paired.json: results of scipy and statsmodels for samples.

Run from the repository root with Debian's python3-scipy and python3-statsmodels:

    python3 core/math/stats/oracle/paired.py > core/math/stats/testdata/paired.json
"""
import json
import random

import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

draw = random.Random(20261122)


def sample(n, shift, step):
    return [round(draw.gauss(shift, 1) / step) * step for _ in range(n)]


paired = []
for n, shift, step in ((2, 0.5, 1e-6), (5, 0, 1e-6), (12, 0.3, 1e-6), (50, 0.2, 1e-6), (50, 0, 1e-6), (115, -0.1, 1e-6), (400, 0.05, 1e-6), (400, 0.1, 0.25)):
    d = sample(n, shift, step)
    t = stats.ttest_1samp(d, 0)
    exact = n <= 50
    w = stats.wilcoxon([x for x in d if x], mode="exact" if exact else "approx", correction=False) if exact or n > 200 else None
    paired.append({"d": d, "t": t.statistic, "p": t.pvalue, "w": w and w.statistic, "wp": w and w.pvalue})

student = [{"t": t, "df": df, "p": 2 * stats.t.sf(abs(t), df)} for df in (1, 2, 3, 7.5, 49, 1000) for t in (1e-9, 0.1, 1, 2.5, 10, 60)]
# scipy's own ppf has at most nine correct digits, its sf has all.
quantile = [{"q": q, "df": df, "t": optimize.brentq(lambda t: stats.t.sf(t, df) - (1 - q), -1e4, 1e4, xtol=1e-14, rtol=1e-15)} for df in (1, 2, 5, 49, 1000) for q in (0.001, 0.3, 0.5, 0.8, 0.975, 0.9999)]
changed = [{"gained": b, "lost": c, "p": mcnemar([[0, b], [c, 0]], exact=True).pvalue} for b, c in ((1, 0), (3, 9), (9, 3), (20, 21), (40, 0), (500, 430))]
holm = []
for n in (1, 3, 8):
    ps = [round(draw.random() ** 2, 6) for _ in range(n)]
    holm.append({"p": ps, "adjusted": list(multipletests(ps, method="holm")[1])})
power = []
for n in (5, 20, 50, 200):
    # the effect that is detectable with this power, by the noncentral t
    power.append({"n": n, "effect": TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8)})
tables = []
for raters, categories, subjects in ((3, 4, 30), (14, 5, 10), (2, 2, 50)):
    table = []
    for _ in range(subjects):
        favourite = draw.randrange(categories)
        row = [0] * categories
        for _ in range(raters):
            row[favourite if draw.random() < 0.6 else draw.randrange(categories)] += 1
        table.append(row)
    tables.append({"table": table, "kappa": fleiss_kappa(table)})

print(json.dumps({"made by": f"core/math/stats/oracle/paired.py, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}",
                  "paired": paired, "student": student, "quantile": quantile, "mcnemar": changed, "holm": holm, "power": power, "fleiss": tables}, indent=None, separators=(",", ":")))
