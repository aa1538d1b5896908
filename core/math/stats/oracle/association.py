#!/usr/bin/env python3
"""Writes core/math/stats/testdata/association.json: scipy's results for pairs and tables.

Run from the repository root with Debian's python3-scipy:

    python3 core/math/stats/oracle/association.py > core/math/stats/testdata/association.json
"""
import json
import math
import random

import scipy
from scipy import stats

draw = random.Random(20261123)
pairs = []
for n, share, step in ((3, 0.5, 1e-6), (4, 0, 1e-6), (9, -0.7, 1e-6), (60, 0.2, 1e-6), (60, 0.5, 0.5), (400, 0.02, 1e-6), (665, -0.4, 1)):
    x = [round(draw.gauss(0, 1) / step) * step for _ in range(n)]
    y = [round((share * a + draw.gauss(0, 1)) / step) * step for a in x]
    p, s = stats.pearsonr(x, y), stats.spearmanr(x, y)
    row = {"x": x, "y": y, "r": p[0], "p": p[1], "rho": s[0], "rhoP": s[1]}
    if n > 3:
        half = stats.norm.ppf(0.975) / math.sqrt(n - 3)
        row["low"], row["high"] = math.tanh(math.atanh(p[0]) - half), math.tanh(math.atanh(p[0]) + half)
    pairs.append(row)
tables = []
for rows, columns, n in ((2, 2, 40), (6, 4, 488), (4, 6, 4683), (3, 2, 12), (9, 7, 200)):
    table = [[0] * columns for _ in range(rows)]
    for _ in range(n):
        i = draw.randrange(rows)
        table[i][(i + draw.randrange(3)) % columns if draw.random() < 0.3 else draw.randrange(columns)] += 1
    chi2, p, df, expected = stats.chi2_contingency(table, correction=False)
    tables.append({"table": table, "chi2": chi2, "p": p, "df": int(df), "expected": float(expected.min()), "v": float(stats.contingency.association(table, method="cramer"))})
tails = [{"x": x, "df": df, "p": float(stats.chi2.sf(x, df))} for df in (1, 2, 5, 15, 120) for x in (1e-6, 0.5, 3, 17.3, 140, 900)]
print(json.dumps({"made by": f"core/math/stats/oracle/association.py, scipy {scipy.__version__}", "pairs": pairs, "tables": tables, "tails": tails}, separators=(",", ":")))
