package online

import (
	"fmt"
	"testing"

	"nightjar/model/text"
)

// TestJudgeFindsPages: a page is found where it is, also after others were forgotten and after another judge's state was taken
// over.
func TestJudgeFindsPages(t *testing.T) {
	b := bundle()
	page := func(j *Judge, n int) Page {
		return j.Page(text.English, fmt.Sprint("https://b.test/", n), "", b.Words("hockey"))
	}
	check := func(j *Judge) {
		t.Helper()
		for i := range j.Fetched {
			if got := j.find(j.Fetched[i].URL); got != i {
				t.Fatalf("the page at %d was found at %d", i, got)
			}
		}
		if got := j.find("https://b.test/none"); got != -1 {
			t.Fatalf("a page that is not there was found at %d", got)
		}
	}
	one, other := NewJudge(b, host), NewJudge(b, host)
	for n := range 40 {
		one.Add(page(one, n))
		other.Add(page(other, 100-n))
	}
	one.Add(page(one, 7)) // again
	if check(one); len(one.Fetched) != 40 {
		t.Errorf("it has %d pages, want 40", len(one.Fetched))
	}
	if err := one.SetState(other.State()); err != nil {
		t.Fatal(err)
	}
	check(one)
	for n := len(one.Fetched); n < maxFetched; n++ {
		one.Fetched = append(one.Fetched, Fetched{Page: page(one, 1000+n)})
	}
	one.Mark("https://b.test/99", Useful) // stands second, and stays
	for n := range 3 {
		one.Add(page(one, 100_000+n))
	}
	check(one)
	if at := one.find("https://b.test/99"); at != 0 {
		t.Errorf("the marked page is at %d, want first", at)
	}
}
