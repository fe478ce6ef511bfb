package web

import (
	"sync"
	"testing"
)

// TestTemplatesParse shows all pages for the first time at once: each template parses, and one does not wait for, or disturb,
// another.
func TestTemplatesParse(t *testing.T) {
	all := newFixture(t).Templates
	var done sync.WaitGroup
	for name, page := range all {
		for range 2 {
			done.Go(func() {
				if page().Lookup("layout") == nil || page().Lookup("main") == nil {
					t.Errorf("%s lacks a part", name)
				}
			})
		}
	}
	done.Wait()
	if len(all) < 20 {
		t.Errorf("only %d pages", len(all))
	}
}
