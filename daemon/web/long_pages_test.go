//go:build !race

package web

import (
	"testing"

	"nightjar/daemon/lab/webtest"
)

// More tests of one goroutine that read many pages, see long_test.go.

func TestPagesScanNoTable(t *testing.T) {
	n := webtest.ScansNoTable(t, func(t testing.TB) *webtest.Wing { return seed(t).wing(t) }, readsMore,
		"INSERT INTO feedback ", "UPDATE crawls SET", "INSERT INTO milestones ", "DELETE FROM sessions ", "INTO starts ")
	if n < 150 {
		t.Errorf("only %d statements were run", n)
	}
}
