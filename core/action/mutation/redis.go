package mutation

import (
	_ "embed"
	"strings"
)

//go:embed redis.txt
var redisText string

// redisReads reports whether a command of Redis, in lower case, only reads. Three commands
// without keys have no flag in the table. O(length of the table).
func redisReads(command string) bool {
	return oneOf(command, "info ping time") || command != "" && command[0] != '#' && strings.Contains(redisText, "\n"+command+"\n")
}

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
	if len(words) > 1 && redisReads(t+" "+words[1]) {
		t += " " + words[1]
	}
	if redisReads(t) {
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
	return len(t) == 1 && wordClass(t[0]) == 0 && redisReads(t[0])
}
