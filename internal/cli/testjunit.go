package cli

import (
	"encoding/xml"
	"fmt"

	"github.com/boundcheck/boundcheck/internal/render"
)

// testCase is a run in the JUnit XML of "boundcheck test".
type testCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Failure *testProblem `xml:"failure"`
	Error   *testProblem `xml:"error"`
}

// testProblem is why a case is not well: a line, and the difference.
type testProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",cdata"`
}

func problem(message, text string) *testProblem {
	return &testProblem{render.Printable(message), text}
}

// junitOf is the result of a suite. There are no times in it: the same files give the
// same bytes.
func junitOf(cases []testCase) []byte {
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: "boundcheck test", Tests: len(cases), Cases: cases}
	for _, c := range cases {
		if c.Failure != nil {
			suite.Failures++
		}
		if c.Error != nil {
			suite.Errors++
		}
	}
	text, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		panic(err) // our own types
	}
	return fmt.Appendf(nil, "%s%s\n", xml.Header, text)
}
