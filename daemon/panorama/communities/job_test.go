package communities

import (
	"errors"
	"testing"
	"time"

	"nightjar/daemon/panorama/maps"
)

// A person who goes on in the moment in which a job ends is not forgotten: the next job begins when it has ended.
func TestGoOnWhileAJobEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 8)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, maps.Options{Hold: true}))(t)
	works := func() {
		if _, err := maps.Change(t.Context(), d.st.DB, one.ID, func(one *maps.Map) error {
			one.Step, one.State = maps.StepPages, maps.Working
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	told := make(chan int, 9) // that the map waits: after the step, and at the end of the job
	defer d.Bus.Call(func() {
		if now := must(maps.ByID(t.Context(), d.st.DB, one.ID))(t); now.State != maps.Waiting || now.Step != maps.StepPages {
			return
		}
		if told <- 1; len(told) == 2 {
			works() // the job has looked already
		}
	}, "map")()
	works()
	d.loop.Wake()
	for begin := time.Now(); len(told) < 4; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("told %d times that the map waits, want 4: two jobs", len(told))
		}
	}
}

// A map has one job at a time.
func TestOneJobForEachMap(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 8)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, maps.Options{Hold: true}))(t)
	_, end := d.running.Begin(t.Context(), one.ID) // it has read that the map waits, and is about to end
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.begin(t.Context()); err != nil || len(d.running.IDs()) != 1 {
		t.Fatalf("jobs of maps %d, %v; want the one that ends", d.running.IDs(), err)
	}
	end()
	d.loop.Wake()
	if now := d.finish(t, one.ID); now.Step != maps.StepPages || now.State != maps.Waiting {
		t.Errorf("%+v", now)
	}
}

// No job begins between the end of a job that the person stops and the storing of that.
func TestStopWhileAMapWorks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 8)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, maps.Options{Hold: true}))(t)
	job, end := d.running.Begin(t.Context(), one.ID)
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- d.Stop(t.Context(), one.ID) }()
	<-job.Done()
	end()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if now := d.finish(t, one.ID); now.Step != maps.StepPages || now.State != maps.Failed || now.Problem != Stopped {
		t.Errorf("%+v", now)
	}
}

// A step whose end cannot be stored is not forgotten: the loop of its map gets the error, and repeats it.
func TestEndOfAStepThatIsNotStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 8)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, maps.Options{Hold: true}))(t)
	if works, err := d.step(t.Context(), one.ID); works || err != nil {
		t.Errorf("a map that waits: %v, %v", works, err)
	}
	if works, err := d.step(t.Context(), one.ID+1); works || err != nil {
		t.Errorf("a map that was deleted: %v, %v", works, err)
	}
	d.stop() // nothing can be read or stored any more
	if _, err := d.step(t.Context(), one.ID); err == nil {
		t.Error("a map that cannot be read: no error")
	}
	if err := d.fail(t.Context(), one, errors.New("no page was found")); err == nil {
		t.Error("a failure that cannot be stored: no error")
	}
}
