package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// suite is one run of one test runner.
type suite struct {
	name  string
	run   func(*tally) error
	after <-chan struct{} // the suite starts when it is closed; nil for at once
}

// result is a suite that has ended.
type result struct {
	name  string
	tally tally
	wall  time.Duration
}

// page is the output of one suite. Safe for concurrent use.
type page struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (p *page) Write(b []byte) (int, error) {
	if p == nil {
		return len(b), nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *page) lines() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Count(p.text.Bytes(), []byte{'\n'})
}

// console prints the output of suites that run side by side. The output of a suite is
// printed as a whole when the suite has ended, so the outputs are not mixed.
type console struct {
	mu      sync.Mutex
	running map[string]*page
}

// start returns the page for the output of a suite.
func (c *console) start(name string) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &page{}
	c.running[name] = p
	fmt.Println("... started:", name)
	return p
}

// end prints the page of a suite and a last line.
func (c *console) end(name, last string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.print(name)
	fmt.Println(last)
	delete(c.running, name)
}

func (c *console) print(name string) {
	p := c.running[name]
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Printf("\n=== %s\n%s", name, p.text.Bytes())
}

// printEach prints, after each interval, which suites run and how many lines each has
// printed, so that a suite that hangs is seen.
func (c *console) printEach(interval time.Duration) {
	for began := time.Now(); ; {
		time.Sleep(interval)
		c.mu.Lock()
		for name, p := range c.running {
			fmt.Printf("... %.0f min: %s, %d lines\n", time.Since(began).Minutes(), name, p.lines())
		}
		c.mu.Unlock()
	}
}

// printOnSignal prints what the running suites have printed, before a signal ends this
// program.
func (c *console) printOnSignal() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		c.mu.Lock()
		for name := range c.running {
			c.print(name)
		}
		fmt.Println("alltests: ended by a signal:", s)
		os.Exit(1)
	}()
}

// runLanes runs the lanes side by side, and the suites of a lane one after another. The
// results are in the order of the lanes.
func runLanes(lanes ...[]suite) []result {
	c := &console{running: map[string]*page{}}
	c.printOnSignal()
	go c.printEach(time.Minute)
	results := make([][]result, len(lanes))
	var wait sync.WaitGroup
	for i, lane := range lanes {
		wait.Go(func() {
			for _, s := range lane {
				if s.after != nil {
					<-s.after
				}
				results[i] = append(results[i], c.run(s))
			}
		})
	}
	wait.Wait()
	var all []result
	for _, r := range results {
		all = append(all, r...)
	}
	return all
}

// run runs a suite. A suite that returns an error or runs no test has failed.
func (c *console) run(s suite) result {
	began := time.Now()
	t := tally{out: c.start(s.name)}
	if err := s.run(&t); err != nil {
		t.failed = max(t.failed, 1)
		t.failures = append(t.failures, fmt.Sprintf("%s: %v", s.name, err))
	}
	if t.ran()+t.skipped == 0 {
		t.failed = 1
		t.failures = append(t.failures, s.name+": no test ran")
	}
	wall := time.Since(began)
	c.end(s.name, fmt.Sprintf("--- %s: %d passed, %d failed, %d skipped, %.0f s", s.name, t.passed, t.failed, t.skipped, wall.Seconds()))
	return result{s.name, t, wall}
}
