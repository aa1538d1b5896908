package meter

// The law of the meter: a metered module pays for each instruction before it executes it,
// and it calls the host before it has paid more than one quantum and one charge. So a
// guest cannot do much work between two calls of the host, whatever its code looks like.
//
// A charge pays for straight code. A function pays at its entry for its code outside of
// loops. A loop pays at each round for its code outside of inner loops. A branch back can
// only lead to the head of a loop. So an instruction is executed at most once for each
// charge that contains it. A charge contains both arms of an if, and code that a branch
// skips. It may be too high, but never too low.
//
// Instructions whose work depends on an operand pay for the operand (meterInstruction).
// Tail calls and exceptions are no part of WebAssembly 2.0, so a module that has them is
// refused.
//
// The law bounds ticks. A tick takes a fraction of a nanosecond if the data are in a
// processor's cache, and at most about 100 ns, the time of a load from main memory.

// Ticks of the instructions that take longer than others.
const (
	callTicks  = 16  // of a call, without the values that it passes
	freeTicks  = 16  // a function with less straight code costs nothing beyond its calls
	slowTicks  = 8   // of divisions, roots and vector instructions
	tableTicks = 16  // of an access to a table or a dropped segment
	hostTicks  = 128 // of an instruction for which engines call their runtime
	growTicks  = 1024
	mostTicks  = 1 << 30 // of one charge: a function of maxBody bytes needs less
)

// ticks holds the ticks of every one-byte instruction.
var ticks = func() (all [256]uint8) {
	for op := range all {
		all[op] = 1
	}
	for _, op := range []byte{0x6d, 0x6e, 0x6f, 0x70, 0x7f, 0x80, 0x81, 0x82, // divisions and remainders of integers
		0x91, 0x95, 0x9f, 0xa3, vector} { // roots and divisions of floats
		all[op] = slowTicks
	}
	for _, op := range []byte{tableGet, tableSet, bulk} {
		all[op] = tableTicks
	}
	all[call], all[callIndirect], all[refFunc] = callTicks, 2*callTicks, hostTicks
	return all
}()

// charge is what straight code costs, in ticks. at is the position in body.code where the
// code that pays is added.
type charge struct{ at, ticks int }

// tariff adds up the charges of one function.
type tariff struct {
	charges []charge // of the function's entry, and of each loop
	homes   []int    // of each open block, the function first: the charge that pays for its code
	widest  int      // number of values that a branch may carry to a block with a type
}

// begin starts a function with the given number of locals, which are set to zero at each
// call, and of results.
func (t *tariff) begin(locals, results int) {
	t.charges = append(t.charges[:0], charge{ticks: locals + results})
	t.homes, t.widest = append(t.homes[:0], 0), 0
}

// spend adds ticks to the charge that pays for the current code.
func (t *tariff) spend(n int) {
	if n == 0 {
		return
	}
	if len(t.homes) == 0 {
		fail("instructions after the end of a function")
	}
	c := &t.charges[t.homes[len(t.homes)-1]]
	c.ticks = int(min(int64(c.ticks)+int64(n), mostTicks))
}

// spendPlain adds ticks for instructions that may be branches. In a function with blocks
// that pass several values, each of them may carry as many.
func (t *tariff) spendPlain(n int) {
	t.spend(int(min(int64(n)*int64(1+t.widest), mostTicks)))
}

// enter opens a block whose type is s. If it is a loop, its code begins at the position at
// in body.code.
func (t *tariff) enter(isLoop bool, s signature, at int) {
	home := t.homes[len(t.homes)-1]
	if isLoop {
		home = len(t.charges)
		t.charges = append(t.charges, charge{at: at})
	}
	t.homes = append(t.homes, home)
	t.widest = max(t.widest, len(s.params), len(s.results))
	t.spend(1 + len(s.params) + len(s.results))
}

// leave closes the innermost block.
func (t *tariff) leave() { t.homes = t.homes[:len(t.homes)-1] }

// settle decides what the function's entry pays. begins says that the function always
// passes the head of its first loop. That loop then pays for both if this does not double
// its charge.
func (t *tariff) settle(begins bool) {
	entry := &t.charges[0]
	switch {
	case entry.ticks <= freeTicks:
		entry.ticks = 0
	case begins && entry.ticks <= t.charges[1].ticks:
		t.charges[1].ticks += entry.ticks
		entry.ticks = 0
	}
}
