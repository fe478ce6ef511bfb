package trap_test

import (
	"fmt"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// TestCalendarCloses: pages that differ in numbers only are allowed an exploration and no more.
func TestCalendarCloses(t *testing.T) {
	g := trap.New(trap.Options{Pages: 2000})
	n := 0
	for ; n < 100; n++ {
		url := fmt.Sprintf("http://cal.test/calendar/%d/%d", 2000+n/12, n%12+1)
		if g.Admit(url) != "" {
			break
		}
		g.Page(trap.Read{URL: url, Page: &page.Page{Text: fmt.Sprintf("Calendar of month %d in the year %d. There are no events.", n%12+1, 2000+n/12)}})
	}
	if n > 10 {
		t.Errorf("%d pages of a calendar", n)
	}
}
