package strategy

import (
	"reflect"
	"sync"
	"testing"

	"nightjar/crawler/page"
)

// TestPrepared: a page that was prepared, beside others, is read as one that was not, also when it got another link since then or
// when what was prepared is another page.
func TestPrepared(t *testing.T) {
	s, twin := mustLearner(t, "link-value", bundle()), mustLearner(t, "link-value", bundle())
	w, same := newWalk(41), newWalk(41)
	for i := range 120 {
		v, plain := w.next(), same.next()
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() { s.(Preparer).Prepare(v.Page) })
		}
		v.Prepared = s.(Preparer).Prepare(v.Page)
		group.Wait()
		switch i % 5 {
		case 1:
			more := page.Link{URL: "https://a.test/more", Anchor: "hockey rink", Around: "league"}
			v.Page.Links, plain.Page.Links = append(v.Page.Links, more), append(plain.Page.Links, more)
		case 2:
			v.Prepared = s.(Preparer).Prepare(w.fork(42).next().Page)
		case 3:
			v.Prepared = "of another strategy"
		}
		a, b := mustRead(s, v), mustRead(twin, plain)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("page %d: prepared %+v, otherwise %+v", i, a, b)
		}
		w.follow(v, a)
		same.follow(plain, b)
	}
}
