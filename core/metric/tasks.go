package metric

// none is the number of a task that has no name, hence one run.
const none = ^uint32(0)

// sums are the totals of up to six figures over the trials of a task.
type sums [6]float64

type trials struct {
	sums
	n int
}

// tasks are the sums by task, in order of first appearance. Runs that are alone
// in their task and have the same values share an entry, so that a million of
// them cost four megabytes.
type tasks struct {
	runs    int
	order   []uint32 // of each task: its entry
	entries []trials
	place   []uint32        // of each named task: 1 + its entry; 0 for none
	alike   map[sums]uint32 // of values that runs alone in their task share: the entry
}

func (t *tasks) add(task uint32, values sums) {
	t.runs++
	if task == none {
		t.addAlone(values)
		return
	}
	for int(task) >= len(t.place) {
		t.place = append(t.place, 0)
	}
	if t.place[task] == 0 {
		t.order = append(t.order, uint32(len(t.entries)))
		t.entries = append(t.entries, trials{})
		t.place[task] = uint32(len(t.entries))
	}
	e := &t.entries[t.place[task]-1]
	for i, v := range values {
		e.sums[i] += v
	}
	e.n++
}

func (t *tasks) addAlone(values sums) {
	entry, ok := t.alike[values]
	if !ok {
		if t.alike == nil {
			t.alike = map[sums]uint32{}
		}
		entry = uint32(len(t.entries))
		t.entries = append(t.entries, trials{values, 1})
		t.alike[values] = entry
	}
	t.order = append(t.order, entry)
}

// figure is the mean over tasks of one column, each task the mean of its
// trials; reason says why there is none.
func (t *tasks) figure(column int, reason string) Figure {
	if len(t.order) == 0 {
		return Figure{Score: Because(reason)}
	}
	f := Figure{PerTask: make([]float64, len(t.order))}
	total := 0.0
	for i, at := range t.order {
		e := &t.entries[at]
		f.PerTask[i] = e.sums[column] / float64(e.n)
		total += f.PerTask[i]
	}
	f.Score = scoreOf(total / float64(len(t.order)))
	return f
}

// passHatK works on sums whose first column counts successes.
func (t *tasks) passHatK() []Score {
	most := 0
	for i, at := range t.order {
		if n := t.entries[at].n; i == 0 || n < most {
			most = n
		}
	}
	if most < 2 {
		return nil
	}
	var out []Score
	for k := 1; k <= min(most, MaxK); k++ {
		total := 0.0
		for _, at := range t.order {
			total += t.entries[at].choose(k)
		}
		out = append(out, scoreOf(total/float64(len(t.order))))
	}
	return out
}

// choose is C(successes, k) / C(trials, k) without large numbers.
func (e *trials) choose(k int) float64 {
	p := 1.0
	for i := range k {
		p *= max(e.sums[0]-float64(i), 0) / float64(e.n-i)
	}
	return p
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
