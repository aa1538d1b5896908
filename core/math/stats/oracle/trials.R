# Reads lines of data from standard input, and writes R's results as lines of numbers.
# trials.py runs it. Each line begins with its kind:
#
#   signed d1 d2 …             exactRankTests: exact two-sided p of the signed-rank test
#   firth k y1 x11 … x1k y2 …  brglm2: coefficients, then standard errors
#   cluster k y g x1 … xk …    sandwich: standard errors by group, with HC1's factor
suppressPackageStartupMessages({library(exactRankTests); library(brglm2); library(sandwich)})
for (line in readLines(file("stdin"))) {
  part <- strsplit(line, " ")[[1]]
  v <- as.numeric(part[-1])
  if (part[1] == "signed") {
    v <- v[v != 0]
    out <- wilcox.exact(v, exact = TRUE)$p.value
  } else if (part[1] == "firth") {
    m <- matrix(v[-1], ncol = v[1] + 1, byrow = TRUE)
    f <- glm(m[, 1] ~ m[, -1], family = binomial("logit"), method = "brglmFit", type = "AS_mean", epsilon = 1e-13, maxit = 5000)
    out <- c(coef(f), summary(f)$coefficients[, 2])
  } else {
    m <- matrix(v[-1], ncol = v[1] + 2, byrow = TRUE)
    f <- glm(m[, 1] ~ m[, -(1:2)], family = binomial, control = list(epsilon = 1e-15, maxit = 200))
    out <- sqrt(diag(vcovCL(f, cluster = m[, 2], type = "HC1", cadjust = TRUE)))
  }
  cat(formatC(out, digits = 17, format = "g"), "\n")
}
cat("exactRankTests", as.character(packageVersion("exactRankTests")), "brglm2", as.character(packageVersion("brglm2")),
    "sandwich", as.character(packageVersion("sandwich")), "\n")
