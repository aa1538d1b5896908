package mutation

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed redis.txt
var redisText string

// redisReads holds the commands of Redis that only read, in lower case.
var redisReads = sync.OnceValue(func() map[string]bool {
	reads := map[string]bool{"info": true, "ping": true, "time": true} // without keys
	for line := range strings.Lines(redisText) {
		if !strings.HasPrefix(line, "#") {
			reads[strings.TrimSpace(line)] = true
		}
	}
	return reads
})

// redisKind judges a Redis command. The text must be one command that is known to read.
func redisKind(s string) (Tri, string) {
	if strings.ContainsAny(s, "\r\n;|") {
		return Unknown, "more than one Redis command"
	}
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 {
		return Unknown, "no Redis command"
	}
	t := words[0]
	if len(words) > 1 && redisReads()[t+" "+words[1]] {
		t += " " + words[1]
	}
	if redisReads()[t] {
		return No, "Redis " + strings.ToUpper(t) + " only reads"
	}
	return Unknown, "Redis " + strings.ToUpper(clipText(t)) + " is not known to be read-only"
}

// namesRedisRead reports whether a tool is named after a command of Redis that only reads,
// such as hgetall or redis_hgetall. A word of the lexicon does not count.
func namesRedisRead(t []string) bool {
	if len(t) == 2 && dialectOf(t[0]) == dialectRedis {
		t = t[1:]
	}
	return len(t) == 1 && wordClass(t[0]) == 0 && redisReads()[t[0]]
}
