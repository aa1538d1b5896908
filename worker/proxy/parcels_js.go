package proxy

import (
	"net/http"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// The Worker does not speak Gemini's and Ollama's own APIs, and stays small.

const servedHere = ""

func isParcel(string) bool { return false }

func parcelOf(*http.Request, string) (translation, error) { return nil, nil }

func withOwnNote(raw string, _ jsonval.Value, _ string) (string, bool) { return raw, false }

func passingModel(string) *passing { return nil }
