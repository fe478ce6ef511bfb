package store

import (
	"strings"
	"testing"
)

// TestStoredPageUsesIndexes: start pages are read while a person waits, whatever is stored.
func TestStoredPageUsesIndexes(t *testing.T) {
	s := open(t)
	for _, text := range []string{fetchedPage, visitedPage, topicSteps, leadsMark} {
		args := []any{"1", "http://ice.test/"}[:1+strings.Count(text, "?2")]
		for _, step := range fullScans(t, s.Readers, text, args...) {
			if !strings.Contains(step, "SCAN CONSTANT") && step != "SCAN way" {
				t.Errorf("%s\n\tin %s", step, text)
			}
		}
	}
}
