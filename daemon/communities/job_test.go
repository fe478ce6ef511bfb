package communities

import (
	"testing"

	"nightjar/daemon/store"
)

// A person who goes on in the moment in which a job ends is not forgotten: the job looks at the map once more.
func TestGoOnWhileAJobEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 8)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, store.MapOptions{Hold: true}))(t)
	ending := &job{done: make(chan struct{})}
	d.mu.Lock()
	d.jobs[one.ID] = ending // it has read that the map waits, and is about to end
	d.mu.Unlock()
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if !d.goesOn(t.Context(), one.ID, ending) {
		t.Fatal("the job ended, though the map is working")
	}
	d.work(t.Context(), one.ID)
	if d.goesOn(t.Context(), one.ID, ending) { // Run, which starts beside this test, may just have found the working map, too
		d.work(t.Context(), one.ID)
		if d.goesOn(t.Context(), one.ID, ending) {
			t.Error("the job does not end")
		}
	}
	if len(d.Working()) > 0 {
		t.Error("the job has ended and is not removed")
	}
	if now := d.finish(t, one.ID); now.Step != store.MapPages || now.State != store.MapWaits {
		t.Errorf("%+v", now)
	}
}
