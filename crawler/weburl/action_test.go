package weburl

import (
	"os"
	"strings"
	"testing"
)

// TestAction: URLs that perform an action are found, and pages about such actions are not.
func TestAction(t *testing.T) {
	data, err := os.ReadFile("testdata/actions.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, url, _ := strings.Cut(line, " ")
		count[kind]++
		if got := Action(url); got != (kind == "does") {
			t.Errorf("Action(%q) = %v", url, got)
		}
	}
	if count["does"] < 150 || count["shows"] < 150 || len(count) != 2 {
		t.Errorf("cases: %v", count)
	}
}
