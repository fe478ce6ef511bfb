package command

import (
	"strings"
	"testing"
	"time"
)

// TestProgressInSentences: elsewhere than on a terminal, quick work says its end and slow work says something in between.
func TestProgressInSentences(t *testing.T) {
	var out strings.Builder
	p := NewProgress(&out, "crawling", 60)
	for n := range 61 {
		p.Set(n, "3 relevant")
	}
	p.End()
	if got := out.String(); got != "crawling: 60 of 60, 3 relevant\n" {
		t.Errorf("quick work said %q", got)
	}
	out.Reset()
	p = NewProgress(&out, "learning", 0)
	p.Say("counting words")
	p.told = time.Now().Add(-pace)
	p.Set(5)
	p.Set(6)
	if got := out.String(); got != "learning: counting words\nlearning: 5\n" {
		t.Errorf("slow work said %q", got)
	}
}
