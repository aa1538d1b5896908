package swebench_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
	"github.com/boundcheck/boundcheck/plugins/swebench"
)

func FuzzAnswer(f *testing.F) { plugintest.Fuzz(f, swebench.Plugin()) }
