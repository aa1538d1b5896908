package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/core/math/metric"
	"github.com/boundcheck/boundcheck/internal/drawn"
)

// trialsOracle is the content of testdata/trials.json, which oracle/trials.py writes.
type trialsOracle struct {
	Paired []struct {
		Rows                       [][4]int // successes and trials, of the baseline and of the treatment
		Mean                       float64
		T, P, WP, R, RP, Rho, RhoP *float64
		K                          int
		Hat, At                    [3]*float64 // pass^k and pass@k with their intervals
	}
	Boot []struct {
		Rows          [][4]int
		Low, High, SE float64
	}
	Wilson []struct {
		N, K int
		Ends [2]float64
	}
	McNemar []struct {
		Gained, Lost int
		P            float64
	}
	Holm          []struct{ P, Adjusted []float64 }
	Power         []struct{ Effect, Alpha, N float64 }
	Cohen, Fleiss []struct {
		Table     [][]int
		Kappa, SE float64
	}
	Cluster []struct {
		X                   [][]float64
		Y, Tasks            []int
		SE, P, Low, High, R []float64
	}
	Firth []struct {
		X         [][]float64
		Y         []int
		P         []float64
		Low, High []*float64
		R         []float64 // coefficients, then standard errors
	}
}

// worstErrors collects the largest error of each figure.
type worstErrors map[string]float64

// relative counts the relative error of a figure. Figures below 1e-6 count by their
// absolute error in units of 1e-6.
func (w worstErrors) relative(figure string, got, want float64) {
	err := math.Abs(got-want) / math.Max(math.Abs(want), 1e-6)
	if math.IsNaN(err) {
		err = math.Inf(1)
	}
	w[figure] = math.Max(w[figure], err)
}

// TestTrialsOracle compares the statistics of more than 500 sets of trials, with ties,
// zeros and shares of 2 to 7, and of tables and regressions, with scipy, statsmodels and
// R. The largest error of each figure must not be above the one in docs/study.md.
func TestTrialsOracle(t *testing.T) {
	var o trialsOracle
	data, err := os.ReadFile("testdata/trials.json")
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Paired) < 500 || len(o.Cohen) < 100 || len(o.Fleiss) < 80 || len(o.Cluster) < 60 || len(o.Firth) < 30 {
		t.Error("the oracle's file is not whole")
	}
	w := worstErrors{}
	for i := range o.Paired {
		a, b := trialShares(o.Paired[i].Rows)
		p := &o.Paired[i]
		d := make([]float64, len(a))
		for j := range a {
			d[j] = b[j] - a[j]
		}
		r, ok := PairedT(d)
		w.relative("paired t: mean", r.Mean, p.Mean)
		if ok != (p.T != nil) {
			t.Errorf("%v: a t test is %v", p.Rows, ok)
		} else if ok {
			w.relative("paired t: t", r.T, *p.T)
			w.relative("paired t: p", r.P, *p.P)
		}
		_, signed, ok := Wilcoxon(d)
		if ok != (p.WP != nil) {
			t.Errorf("%v: a signed-rank test is %v", p.Rows, ok)
		} else if ok {
			w.relative("Wilcoxon: p", signed, *p.WP)
		}
		if p.R != nil {
			r, _ := Pearson(a, b)
			w.relative("Pearson: r", r.R, *p.R)
			w.relative("Pearson: p", r.P, *p.RP)
			s, _ := Spearman(a, b)
			w.relative("Spearman: ρ", s.R, *p.Rho)
			w.relative("Spearman: p", s.P, *p.RhoP)
		}
	}
	o.comparePasses(w)
	for _, b := range o.Boot {
		a, c := trialShares(b.Rows)
		for i := range a {
			a[i] = c[i] - a[i]
		}
		low, high := Bootstrap(a, 0.95, 20261128)
		w["bootstrap: ends, in standard errors"] = max(w["bootstrap: ends, in standard errors"], math.Abs(low-b.Low)/b.SE, math.Abs(high-b.High)/b.SE)
	}
	for _, c := range o.Wilson {
		low, high := Wilson(c.K, c.N)
		w.relative("Wilson: ends", low, c.Ends[0])
		w.relative("Wilson: ends", high, c.Ends[1])
	}
	for _, c := range o.McNemar {
		w.relative("McNemar: p", McNemar(c.Gained, c.Lost), c.P)
	}
	for _, c := range o.Holm {
		for i, p := range Holm(c.P) {
			w.relative("Holm: p", p, c.Adjusted[i])
		}
	}
	for _, c := range o.Power {
		w["tasks needed, in tasks"] = max(w["tasks needed, in tasks"], math.Abs(float64(TasksFor(c.Effect, 1, c.Alpha, 0.8))-math.Ceil(c.N)))
	}
	for _, c := range o.Cohen {
		k, _ := Cohen(c.Table)
		w.relative("Cohen's κ", k.Value, c.Kappa)
		w.relative("Cohen's κ: SE", k.SE, c.SE)
	}
	for _, c := range o.Fleiss {
		k, _ := Fleiss(c.Table)
		w.relative("Fleiss' κ", k.Value, c.Kappa)
		w.relative("Fleiss' κ: SE", k.SE, c.SE)
	}
	o.compareRegressions(t, w)
	compareWithTable(t, w)
}

// comparePasses compares pass^k and pass@k, which package metric computes from the trials,
// and their intervals.
func (o *trialsOracle) comparePasses(w worstErrors) {
	for i := range o.Paired {
		p := &o.Paired[i]
		var tally metric.Tally
		for task, r := range p.Rows {
			for trial := range r[1] {
				won := trial < r[0]
				tally.Add(strconv.Itoa(task), nil, &won)
			}
		}
		pass := tally.Corpus().Passes[p.K-1]
		for _, c := range []struct {
			name string
			got  metric.Figure
			want [3]*float64
		}{{"pass^k: value and ends", pass.All, p.Hat}, {"pass@k: value and ends", pass.One, p.At}} {
			w.relative(c.name, c.got.Value, *c.want[0])
			if c.want[1] == nil {
				continue // all tasks have the same value
			}
			ends := MeansT([]float64{c.got.Value}, []float64{c.got.Moments.SD}, c.got.Moments.N)[0]
			w.relative(c.name, ends.Low, *c.want[1])
			w.relative(c.name, ends.High, *c.want[2])
		}
	}
}

func (o *trialsOracle) compareRegressions(t *testing.T, w worstErrors) {
	for _, c := range o.Cluster {
		y, groups := make([]bool, len(c.Y)), make([]string, len(c.Y))
		for i := range y {
			y[i], groups[i] = c.Y[i] == 1, strconv.Itoa(c.Tasks[i])
		}
		l, err := Logistic(c.X, y)
		if err != nil {
			t.Fatal(err)
		}
		terms, err := l.Clustered(c.X, y, groups)
		if err != nil {
			t.Fatal(err)
		}
		for j, r := range terms {
			w.relative("clustered: SE", r.SE, c.SE[j])
			w.relative("clustered: SE, by R", r.SE, c.R[j])
			w.relative("clustered: p", r.P, c.P[j])
			w.relative("clustered: ends", r.Low, c.Low[j])
			w.relative("clustered: ends", r.High, c.High[j])
		}
	}
	for _, c := range o.Firth {
		y := make([]bool, len(c.Y))
		for i := range y {
			y[i] = c.Y[i] == 1
		}
		l, err := Logistic(c.X, y)
		if err != nil || l.Method != Firth {
			t.Fatalf("%v, method %s", err, l.Method)
		}
		for j, term := range l.Terms {
			w.relative("Firth: coefficient, by R", term.Coef, c.R[j])
			w.relative("Firth: SE, by R", term.SE, c.R[len(l.Terms)+j])
			w.relative("Firth: p", term.P, c.P[j])
			if c.Low[j] != nil {
				w.relative("Firth: ends", term.Low, *c.Low[j])
			}
			if c.High[j] != nil {
				w.relative("Firth: ends", term.High, *c.High[j])
			}
		}
	}
}

func trialShares(rows [][4]int) (a, b []float64) {
	for _, r := range rows {
		a, b = append(a, float64(r[0])/float64(r[1])), append(b, float64(r[2])/float64(r[3]))
	}
	return a, b
}

var tableRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| ([0-9.e-]+) \|$`)

// compareWithTable checks that docs/study.md has a row for each figure, and that no error
// is above the one in its row.
func compareWithTable(t *testing.T, w worstErrors) {
	data, err := os.ReadFile("../../../docs/study.md")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]float64{}
	for _, m := range tableRow.FindAllStringSubmatch(string(data), -1) {
		stated[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	for figure, worst := range w {
		if limit, ok := stated[figure]; !ok || worst > limit {
			t.Errorf("%s: the largest error is %.1e; docs/study.md says %v", figure, worst, limit)
		}
	}
}

// TestTiesAreFractions is the law that two differences are ties exactly if their
// fractions are equal. A second program ranks fractions and tries all signs.
func TestTiesAreFractions(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 6))
	for range drawn.Cases(300) {
		var d []float64
		var exact []*big.Rat
		m, n := int64(2+random.IntN(6)), int64(2+random.IntN(6))
		for range 2 + random.IntN(9) {
			a, b := random.Int64N(m+1), random.Int64N(n+1)
			d = append(d, float64(b)/float64(n)-float64(a)/float64(m))
			exact = append(exact, new(big.Rat).Sub(big.NewRat(b, n), big.NewRat(a, m)))
		}
		if _, p, _ := Wilcoxon(d); math.Abs(p-enumerateSigns(exact)) > 1e-12 {
			t.Fatalf("%v: p %v, want %v", exact, p, enumerateSigns(exact))
		}
	}
}

// enumerateSigns returns the exact p of the signed-rank test by trying all signs.
func enumerateSigns(all []*big.Rat) float64 {
	var ranks []int // doubled
	whole, plus := 0, 0
	for _, x := range all {
		if x.Sign() == 0 {
			continue
		}
		rank := 1
		for _, y := range all {
			if y.Sign() != 0 {
				rank += 1 + new(big.Rat).Abs(x).Cmp(new(big.Rat).Abs(y))
			}
		}
		if ranks = append(ranks, rank); x.Sign() > 0 {
			plus += rank
		}
		whole += rank
	}
	if len(ranks) == 0 {
		return 1
	}
	count := 0
	for signs := range 1 << len(ranks) {
		sum := 0
		for i, r := range ranks {
			if signs&(1<<i) != 0 {
				sum += r
			}
		}
		if sum <= min(plus, whole-plus) {
			count++
		}
	}
	return math.Min(1, 2*float64(count)/float64(int(1)<<len(ranks)))
}

// TestTrialsTies has the smallest experiment in which equal differences of trials, such as
// 3/3 − 2/3 and 2/3 − 1/3, have different bits.
func TestTrialsTies(t *testing.T) {
	var d []float64
	for _, c := range [][2]int{{1, 0}, {2, 1}, {3, 2}, {1, 0}, {2, 1}, {1, 2}, {3, 2}, {2, 1}, {1, 0}} {
		d = append(d, float64(c[0])/3-float64(c[1])/3)
	}
	if _, p, ok := Wilcoxon(d); !ok || p != 0.0390625 {
		t.Errorf("p %v, want .0390625", p)
	}
	if _, p, ok := Wilcoxon([]float64{1e-17, -1e-17, 2e-16}); ok || p != 1 {
		t.Errorf("rounding errors have a rank: p %v", p)
	}
}

// TestOneMethod checks that the p and the interval of a term agree: p is below .05
// exactly if the interval does not contain zero.
func TestOneMethod(t *testing.T) {
	for seed := range uint64(drawn.Cases(30)) {
		x, y := randomObservations(seed, 14)
		l, err := Logistic(x, y)
		if err != nil {
			continue
		}
		for i, term := range l.Terms {
			if !term.Aliased && (term.P < 0.05) != (term.Low > 0 || term.High < 0) {
				t.Errorf("seed %d, %s, term %d: p %v, interval %v to %v", seed, l.Method, i, term.P, term.Low, term.High)
			}
		}
	}
}

func TestExtreme(t *testing.T) {
	for _, c := range []struct {
		values string
		want   string
	}{{"1 1 1 1 1 1 1 1", "0.6756 1.0000 true"}, {"0 0 0 0 0 0 0 0", "0.0000 0.3244 true"}, {"1 0", "0.0000 0.0000 false"}, {"0.5 0.5", "0.0000 0.0000 false"}, {"", "0.0000 0.0000 false"}} {
		var values []float64
		for _, w := range strings.Fields(c.values) {
			v, _ := strconv.ParseFloat(w, 64)
			values = append(values, v)
		}
		i, ok := Extreme(values)
		if got := fmt.Sprintf("%.4f %.4f %v", i.Low, i.High, ok); got != c.want {
			t.Errorf("%s: %s, want %s", c.values, got, c.want)
		}
	}
}
