package bench

import (
	"fmt"
	"testing"

	"nightjar/crawler/strategy"
)

func TestParseFeedback(t *testing.T) {
	for _, good := range []string{"", "20/500", "1/1"} {
		if f, err := ParseFeedback(good); err != nil || f.String() != good {
			t.Errorf("%q: %v, %v", good, f, err)
		}
	}
	for _, bad := range []string{"20", "0/500", "20/0", "500/20", "-1/5", "a/b", "1/2/3", "/"} {
		if f, err := ParseFeedback(bad); err == nil {
			t.Errorf("%q is %v", bad, f)
		}
	}
}

// TestDue: 20 labels per 500 pages are one every 25 pages, from page 100 on.
func TestDue(t *testing.T) {
	f := Feedback{20, 500}
	for n, want := range map[int]int{0: 0, 99: 0, 100: 1, 124: 1, 125: 2, 150: 3, 500: 17, 600: 21, 1000: 37} {
		if got := f.due(n); got != want {
			t.Errorf("%d labels are due after %d pages, want %d", got, n, want)
		}
	}
	if (Feedback{}).due(1000) != 0 {
		t.Error("without feedback labels are due")
	}
}

// curious is a learner that asks for what it is told it has.
type curious struct {
	strategy.Learner
	pages []string
}

func (c *curious) Ask(n int) []string {
	n = min(n, len(c.pages))
	asked := c.pages[:n]
	c.pages = c.pages[n:]
	return asked
}

// TestPerson: marks are the truth, as many as are due; what a learner had nothing to ask for it may ask for later.
func TestPerson(t *testing.T) {
	c := &curious{pages: []string{"a"}}
	p := person{feedback: Feedback{1, 50}, learner: c, useful: map[string]bool{"a": true}}
	told := ""
	for _, step := range []struct {
		fetched int
		more    []string
	}{{50, nil}, {100, nil}, {100, nil}, {150, nil}, {200, []string{"b", "c", "d"}}, {249, nil}} {
		p.fetched = step.fetched
		c.pages = append(c.pages, step.more...)
		for _, m := range p.answer() {
			told += fmt.Sprint(m.URL, m.Useful, " ")
		}
		told += "; "
	}
	if want := "; atrue ; ; ; bfalse cfalse ; ; "; told != want {
		t.Errorf("told %s, want %s", told, want)
	}
	if p.marks != 3 {
		t.Errorf("%d marks", p.marks)
	}
}
