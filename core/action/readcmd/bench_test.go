package readcmd

import "testing"

func BenchmarkLine(b *testing.B) {
	for _, line := range []string{"ls -la", "cd src && git log --oneline -5 | head", "find . -name '*.go' | xargs grep -n foo", "python --version", "frob x"} {
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Line(line, Own)
			}
		})
	}
}
