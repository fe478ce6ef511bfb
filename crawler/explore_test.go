package crawler_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
)

// scout is a pupil that learns of links that led to no page, and explores at regular intervals.
type scout struct {
	*pupil
	explore int
	asked   int
	missed  []string
	loss    int32 // what a miss takes off the value of links of the same kind
	fails   error
}

func (s *scout) Missed(_ context.Context, url string, note []byte, _ int) (reorder bool, err error) {
	if !strings.HasPrefix(string(note), "0 http") {
		panic("a note that the scout did not write: " + string(note))
	}
	s.missed = append(s.missed, url)
	s.worth[segment(url)] -= s.loss
	return s.loss > 0, s.fails
}

func (s *scout) Explore() bool {
	s.asked++
	return s.explore > 0 && s.asked%s.explore == 0
}

// TestMissed: the strategy hears of each followed link that gave no page, and of no other: not of a start page, nor of one
// that redirects to a page that was read before.
func TestMissed(t *testing.T) {
	w := twoKinds()
	w.pages["start.test/"] += `<a href="/a/gone">gone</a><a href="/a/moved">moved</a><a href="/private/x">private</a>`
	w.pages["start.test/a/moved"] = "301 http://start.test/a/1"
	s := &scout{pupil: newPupil(1)}
	_, err := crawler.Run(t.Context(), mustClient(t, w), s, crawler.Options{Starts: []string{start, "http://start.test/no-start"}})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(s.missed)
	if want := []string{"http://start.test/a/gone", "http://start.test/private/x"}; !slices.Equal(s.missed, want) {
		t.Errorf("told of %v, want %v", s.missed, want)
	}
}

// TestMissesReorder: what the strategy learns from a miss counts for the next link. Its failure is counted, and the crawl
// goes on.
func TestMissesReorder(t *testing.T) {
	for loss, want := range []string{"/ /a/1 /b/1 /a/2 /b/2 /a/3 /b/3 /a/4 /b/4", "/ /a/1 /b/1 /b/2 /b/3 /b/4 /a/2 /a/3 /a/4"} {
		w := twoKinds()
		delete(w.pages, "start.test/a/1")
		s := &scout{pupil: newPupil(100), loss: int32(loss), fails: errors.New("out of chalk")}
		var got []string
		r, err := crawler.Run(t.Context(), mustClient(t, w), s, crawler.Options{Starts: []string{start}, OnFetch: func(f *crawler.Fetch) {
			got = append(got, strings.TrimPrefix(f.URL, "http://start.test"))
		}})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("order %v, want %s", got, want)
		}
		if !strings.Contains(r.Unlearned, "1 page: out of chalk") {
			t.Errorf("told %q", r.Unlearned)
		}
	}
}

// TestExplore: when the strategy explores, the best link of the host with the fewest attempts comes next, as long as a host
// had at most two; otherwise the best link of all.
func TestExplore(t *testing.T) {
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	for i := range 9 {
		w.pages["start.test/"] += fmt.Sprintf(`<a href="/a/%d">a</a>`, i)
		w.pages[fmt.Sprintf("start.test/a/%d", i)] = fmt.Sprintf("page %d", i)
	}
	for _, host := range []string{"x.test", "y.test"} {
		w.pages["start.test/"] += fmt.Sprintf(`<a href="http://%[1]s/1"></a><a href="http://%[1]s/2"></a><a href="http://%[1]s/3"></a><a href="http://%[1]s/4"></a>`, host)
		for i := range 5 {
			w.pages[fmt.Sprintf("%s/%d", host, i)] = fmt.Sprintf("page %d of %s", i, host)
		}
	}
	var got []string
	_, err := crawler.Run(t.Context(), mustClient(t, w), &scout{pupil: newPupil(100), explore: 2}, crawler.Options{
		Starts: []string{start}, Budget: crawler.Budget{Pages: 15},
		OnFetch: func(f *crawler.Fetch) {
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(f.URL, "http://"), "start.test"))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "/ x.test/1 /a/0 y.test/1 /a/1 x.test/2 /a/2 y.test/2 /a/3 x.test/3 /a/4 y.test/3 /a/5 /a/6 /a/7"
	if strings.Join(got, " ") != want {
		t.Errorf("order\n%s, want\n%s", strings.Join(got, " "), want)
	}
}
