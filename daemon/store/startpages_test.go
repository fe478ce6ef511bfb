package store

import (
	"strings"
	"testing"
)

// TestHealthUsesIndexes: the doctor's page is read while a person waits, too. Crawls are few.
func TestHealthUsesIndexes(t *testing.T) {
	s := open(t)
	for _, text := range []string{robotsRefusals, nightFinds, lastEvent} {
		args := []any{1, 2}[:strings.Count(text, "?")]
		for _, step := range fullScans(t, s.Readers, text, args...) {
			if !strings.Contains(step, "crawls") && text != lastEvent || text == lastEvent && step != "SCAN events" { // in order, one row
				t.Errorf("%s\n\tin %s", step, text)
			}
		}
	}
}

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
