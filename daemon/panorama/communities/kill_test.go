package communities

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
)

// withDouble makes daemons that train by a double, which change prepares.
func (w *world) withDouble(t *testing.T, change func(*double)) {
	b := bundle(t)
	w.double = func(st *store.Store) Trainer {
		d := &double{st: st, bundle: b}
		change(d)
		return d
	}
}

// untilKilled makes the first request for a page wait until the client is gone. The channel has one element from then on.
func (w *world) untilKilled(url string) <-chan struct{} {
	gate := make(chan struct{}, 1)
	pages := w.web.Handler()
	w.on(url, func(out http.ResponseWriter, r *http.Request) {
		select {
		case gate <- struct{}{}:
			<-r.Context().Done()
		default:
			pages.ServeHTTP(out, r)
		}
	})
	return gate
}

// reached waits until a gate of untilKilled was reached.
func reached(gate <-chan struct{}) {
	for len(gate) == 0 {
		time.Sleep(time.Millisecond)
	}
}

// document is the map of a bibliography of what the person has read.
func (w *world) document(t *testing.T, d *daemon, o maps.Options) maps.Map {
	t.Helper()
	return must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited)}, o))(t)
}

// await waits until a map is at a step, and ok.
func (d *daemon) await(t *testing.T, id int64, step maps.Step, ok func(maps.Map) bool) maps.Map {
	t.Helper()
	for late := time.Now().Add(3 * time.Minute); time.Now().Before(late); time.Sleep(time.Millisecond) {
		one, err := maps.ByID(t.Context(), d.st.DB, id)
		if err != nil || one.State == maps.Failed {
			t.Fatalf("%+v, %v", one, err)
		}
		if one.Step == step && ok(one) {
			return one
		}
	}
	t.Fatalf("it never came to %s", step)
	return maps.Map{}
}

func anyMap(maps.Map) bool { return true }

// A daemon that is killed in any step does it again from what is stored: in the training, in the crawl, which is the same
// afterwards and requests no page twice, and while the map is drawn.
func TestKilledInEachStep(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWorld(t, 14)
	hold := make(chan struct{})
	w.withDouble(t, func(d *double) { d.hold = hold })
	d := w.open(t)
	one := w.document(t, d, maps.Options{Pages: 40, Clusters: 2})
	d.await(t, one.ID, maps.StepTraining, func(one maps.Map) bool { return one.Topic != 0 })
	d.stop()

	close(hold)
	slow := w.visited[0]
	gate := w.untilKilled(slow)
	d = w.open(t)
	reached(gate)
	crawl := d.await(t, one.ID, maps.StepCrawl, func(one maps.Map) bool { return one.Crawl != 0 }).Crawl
	d.stop()

	d = w.open(t)
	d.drawing <- struct{}{} // the map is not drawn now
	if one = d.await(t, one.ID, maps.StepDrawing, anyMap); one.Crawl != crawl {
		t.Errorf("crawl %d, then %d", crawl, one.Crawl)
	}
	d.stop()

	d = w.open(t)
	if one = d.finish(t, one.ID); one.State != maps.Done || one.Crawl != crawl {
		t.Fatalf("%+v", one)
	}
	asked := w.requests()
	for _, p := range must(d.View(t.Context(), one.ID))(t).Positives {
		if n := asked[p.URL]; n > 1 && p.URL != slow || n > 2 {
			t.Errorf("%s was asked for %d times", p.URL, n)
		}
	}
	if views, err := crawls.Views(t.Context(), d.st.DB, 9); err != nil || len(views) != 1 {
		t.Errorf("%d crawls, %v", len(views), err)
	}
}

// A crawl that was started, but not noted with the map, is found again.
func TestLostCrawl(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWorld(t, 14)
	w.withDouble(t, func(*double) {})
	d := w.open(t)
	gate := w.untilKilled(w.visited[0]) // so that the crawl does not end before
	one := w.document(t, d, maps.Options{Pages: 40, Clusters: 2})
	lost := d.await(t, one.ID, maps.StepCrawl, func(one maps.Map) bool { return one.Crawl != 0 }).Crawl
	reached(gate)
	d.stop()
	st := must(store.Open(t.Context(), w.path))(t)
	if _, err := maps.Change(t.Context(), st.DB, one.ID, func(one *maps.Map) error { one.Crawl = 0; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	d = w.open(t)
	if one = d.finish(t, one.ID); one.State != maps.Done || one.Crawl != lost {
		t.Errorf("%+v, want crawl %d", one, lost)
	}
}

// Without a classifier, and when the training fails, the person is told why, and may go on.
func TestTrainingFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 14)
	why := &double{}
	w.withDouble(t, func(d *double) { d.none, why = "there are too few negative pages", d })
	d := w.open(t)
	one := w.document(t, d, maps.Options{Pages: 40, Clusters: 2})
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepTraining || one.Problem != why.none {
		t.Errorf("%+v", one)
	}
	why.none, why.err = "", errors.New("the disk is on fire")
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Problem != "the disk is on fire" {
		t.Errorf("%+v", one)
	}
	why.err = nil
	if err := d.SetOptions(t.Context(), one.ID, func(o *maps.Options) { o.Paper = true }); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || !strings.Contains(one.Problem, "other kind") {
		t.Errorf("a multinomial classifier was used for a Gaussian one: %+v", one)
	}
	if err := d.LeaveOut(t.Context(), one.ID, w.visited[0], true); err != nil {
		t.Fatal(err)
	}
	if one = must(maps.ByID(t.Context(), d.st.DB, one.ID))(t); one.Step != maps.StepPages {
		t.Errorf("%+v", one)
	}
}

// A crawl that the person pauses with the map goes on with it; one that has enough pages gives a map of what there is.
func TestCrawlStopsAndGoesOn(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWorld(t, 14)
	w.withDouble(t, func(*double) {})
	d := w.open(t)
	gate := w.untilKilled(w.visited[0]) // so that the crawl does not end before it is stopped
	one := w.document(t, d, maps.Options{Pages: 5000, Clusters: 2})
	one = d.await(t, one.ID, maps.StepCrawl, func(one maps.Map) bool { return one.Crawl != 0 })
	reached(gate)
	if err := d.Stop(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.Problem != Stopped || one.Step != maps.StepCrawl {
		t.Fatalf("%+v", one)
	}
	if c := must(crawls.Get(t.Context(), d.st.DB, one.Crawl))(t); c.Paused != crawls.PausedByYou && c.Status != crawls.Ended {
		t.Errorf("%+v", c)
	}
	crawl := one.Crawl
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	for must(crawls.Get(t.Context(), d.st.DB, crawl))(t).Totals.Fetched < 20 {
		time.Sleep(time.Millisecond)
	}
	if err := d.Enough(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Done || one.Crawl != crawl {
		t.Fatalf("%+v", one)
	}
	if v := must(d.View(t.Context(), one.ID))(t); v.Counts.Fetched < 20 || v.Crawl.StopReason == "" {
		t.Errorf("%+v", v.Counts)
	}
	gate = w.untilKilled(w.visited[1])
	again := must(d.Again(t.Context(), one.ID))(t)
	again = d.await(t, again.ID, maps.StepCrawl, func(one maps.Map) bool { return one.Crawl != 0 })
	if again.Crawl == crawl || again.Topic != one.Topic {
		t.Errorf("%+v", again)
	}
	reached(gate)
	if err := d.Delete(t.Context(), again.ID); err != nil {
		t.Fatal(err)
	}
	if c := must(crawls.Get(t.Context(), d.st.DB, again.Crawl))(t); c.Status != crawls.Ended {
		t.Errorf("%+v", c)
	}
	if _, err := maps.DocumentByID(t.Context(), d.st.DB, one.Document); err != nil {
		t.Errorf("the document of the other map is gone: %v", err)
	}
}

// When all start pages refuse crawlers, the map fails in words; when they no longer do, it goes on with a new crawl.
func TestAllRefuse(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWorld(t, 14)
	w.withDouble(t, func(*double) {})
	d := w.open(t)
	forbidden := true
	for _, host := range w.web.Hosts() {
		w.on("http://"+host+"/robots.txt", func(out http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if forbidden {
				forbid(out, r)
				return
			}
			fmt.Fprint(out, "User-agent: *\nDisallow:")
		})
	}
	one := w.document(t, d, maps.Options{Pages: 40, Clusters: 2})
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepCrawl || !strings.Contains(one.Problem, "refuse crawlers") {
		t.Fatalf("%+v", one)
	}
	if len(w.requests()) > 0 {
		t.Errorf("asked for %v", w.requests())
	}
	w.mu.Lock()
	forbidden = false
	w.mu.Unlock()
	d.stop()
	d = w.open(t)
	for _, host := range w.web.Hosts() { // what hosts forbid is believed for a day, also after a restart: the day is over
		if err := crawls.NewHostMemory(d.st.DB).PutRobots(t.Context(), fetch.RobotsFile{Origin: "http://" + host}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Done {
		t.Errorf("%+v", one)
	}
}

// What is read is too little: the error comes before any crawl.
func TestTooFewNegatives(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	d := w.open(t)
	urls := w.web.RelevantPages()[:8]
	w.visit(t, d.st, "Reading", urls, urls[7:])
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, urls)}, maps.Options{}))(t)
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepPages || !strings.Contains(one.Problem, trainingdata.ErrFewNegatives.Error()) {
		t.Errorf("%+v", one)
	}
}
