package theagentcompany_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/plugins/internal/plugintest"
	"github.com/boundcheck/boundcheck/plugins/theagentcompany"
)

func FuzzAnswer(f *testing.F) { plugintest.Fuzz(f, theagentcompany.Plugin()) }
