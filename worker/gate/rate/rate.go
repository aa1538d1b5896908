// Package rate limits how often something may happen.
package rate

import (
	"math"
	"sync"
)

// Limiter holds a bucket of requests for each name. Its zero value limits nothing.
type Limiter struct {
	Rate, Burst float64
	mu          sync.Mutex
	buckets     map[string]bucket
}

type bucket struct {
	left float64
	at   int64
}

// maxBuckets is the largest number of names that are stored. When it is reached, unused
// buckets are deleted.
const maxBuckets = 10_000

// Take counts one request at the Limiter's own rate. The result ok is true if the
// request is within the limit. Otherwise wait is the number of seconds until the next
// request is within the limit.
func (l *Limiter) Take(name string, now int64) (ok bool, wait int) {
	return l.TakeAt(name, l.Rate, l.Burst, now)
}

// TakeAt does the same as Take, but with the given rate and burst. Use the same values
// for the same name each time.
func (l *Limiter) TakeAt(name string, rate, burst float64, now int64) (ok bool, wait int) {
	if rate <= 0 {
		return true, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	b, known := l.buckets[name]
	if !known {
		l.dropBuckets(now)
		b = bucket{burst, now}
	}
	b.left = min(burst, b.left+float64(max(0, now-b.at))/1000*rate)
	b.at = now
	if ok = b.left >= 1; ok {
		b.left--
	} else {
		wait = max(1, int(math.Ceil((1-b.left)/rate)))
	}
	l.buckets[name] = b
	return ok, wait
}

// idle is the time without a request, in milliseconds, after which a bucket may be
// deleted if there are too many.
const idle = 60_000

// dropBuckets deletes buckets if there are too many. It deletes the buckets that were not
// used for a while. If there are still too many, it deletes all.
func (l *Limiter) dropBuckets(now int64) {
	if len(l.buckets) < maxBuckets {
		return
	}
	for name, b := range l.buckets {
		if now-b.at > idle {
			delete(l.buckets, name)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}
