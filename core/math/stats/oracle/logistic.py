#!/usr/bin/env python3
"""Writes core/math/stats/testdata/logistic.json: logistic regressions fitted by statsmodels.

Run from the repository root with Debian's python3-statsmodels:

    python3 core/math/stats/oracle/logistic.py > core/math/stats/testdata/logistic.json
"""
import json
import math
import random

import numpy
import statsmodels
import statsmodels.api as sm

draw = random.Random(20261124)
fits = []
for n, k, tasks, trials in ((40, 1, 40, 1), (200, 2, 50, 4), (415, 2, 415, 1), (300, 4, 60, 5)):
    x, y, groups = [], [], []
    for task in range(tasks):
        ease = draw.gauss(0, 0.7)
        for _ in range(trials):
            row = [float(draw.randrange(5)) for _ in range(k)]
            p = 1 / (1 + math.exp(-(0.4 + ease - 0.5 * row[0] + 0.1 * sum(row[1:]))))
            x.append(row)
            y.append(int(draw.random() < p))
            groups.append(task)
    x, y, groups = x[:n], y[:n], groups[:n]
    model = sm.Logit(numpy.array(y), sm.add_constant(numpy.array(x)))
    fit = model.fit(disp=0, tol=1e-14, maxiter=200)
    out = {"x": x, "y": [bool(v) for v in y], "tasks": groups, "coef": list(fit.params), "se": list(fit.bse), "p": list(fit.pvalues), "ll": fit.llf}
    if trials > 1:
        robust = model.fit(disp=0, tol=1e-14, maxiter=200, cov_type="cluster", cov_kwds={"groups": numpy.array(groups), "use_correction": False})
        g = len(set(groups))
        out["robust"] = [float(s) for s in robust.bse]
        out["clusters"] = g
    fits.append(out)
print(json.dumps({"made by": f"core/math/stats/oracle/logistic.py, statsmodels {statsmodels.__version__}", "fits": fits}, separators=(",", ":")))
