package communities

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
)

// A person looks at each step before the next, and corrects it.
func TestPersonCorrectsSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 14)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, w.visited[:8])}, maps.Options{Hold: true}))(t)
	if one.State != maps.Waiting || one.Step != maps.StepTitles || one.Problem != "" {
		t.Fatalf("%+v", one)
	}
	main, titles, read := titlesOf(t, d, one.ID)
	if main != "refs" || len(titles) < 4 || read.Kind != string(document.BibTeX) {
		t.Errorf("%q %q %+v", main, titles, read)
	}
	if plan, err := d.Plan(t.Context(), one.ID); err != nil || plan.To != "" || len(plan.Queries) > 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	if err := d.SetTitles(t.Context(), one.ID, " ", []string{"", "\x00"}); !errors.Is(err, ErrNoTitles) {
		t.Errorf("%v", err)
	}
	if err := d.SetTitles(t.Context(), one.ID, "My\n paper", []string{titles[0], "  ", strings.ToUpper(titles[0]), "a title that\tnobody wrote"}); err != nil {
		t.Fatal(err)
	}
	if main, now, _ := titlesOf(t, d, one.ID); main != "My paper" || !slices.Equal(now, []string{titles[0], "a title that nobody wrote"}) {
		t.Errorf("%q %q", main, now)
	}
	if err := d.SetTitles(t.Context(), one.ID, main, titles); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Waiting || one.Step != maps.StepPages {
		t.Fatalf("%+v", one)
	}
	pages := must(d.Positives(t.Context(), one.ID))(t)
	for _, p := range pages {
		if !p.Known || p.Outcome != "" || p.Reason != "" || len(p.Reasons) == 0 {
			t.Errorf("%+v", p)
		}
	}
	if len(w.requests()) > 0 {
		t.Errorf("a local search asked for %v", w.requests())
	}
	if err := d.LeaveOut(t.Context(), one.ID, "http://none.test/", true); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
	for _, p := range pages[4:] {
		if err := d.LeaveOut(t.Context(), one.ID, p.URL, true); err != nil {
			t.Fatal(err)
		}
	}
	// The search again leaves out what was left out; four pages are too few.
	if err := d.SetTitles(t.Context(), one.ID, main, titles); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || !strings.Contains(one.Problem, trainingdata.ErrFewPositives.Error()) {
		t.Errorf("%+v", one)
	}
	if _, err := d.View(t.Context(), one.ID); !errors.Is(err, ErrNotReady) {
		t.Errorf("%v", err)
	}
	for _, p := range pages[4:] {
		if err := d.LeaveOut(t.Context(), one.ID, p.URL, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Waiting || one.Step != maps.StepPages {
		t.Errorf("%+v", one)
	}
}

func titlesOf(t *testing.T, d *daemon, id int64) (string, []string, maps.ReadDocument) {
	t.Helper()
	main, titles, read, err := d.Titles(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return main, titles, read
}

// What cannot be read gives no map; what has no titles waits for them.
func TestDocumentsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	d := w.open(t)
	for _, c := range []struct {
		src  Source
		o    maps.Options
		want string
	}{
		{Source{Name: "x.pdf", Body: []byte("%PDF-1.4 nothing")}, maps.Options{}, "PDF"},
		{Source{Name: "x.bin", Body: []byte{'M', 'Z', 0, 1, 2, 3}}, maps.Options{}, document.ErrKind.Error()},
		{Source{Name: "empty", Body: []byte{}}, maps.Options{}, document.ErrEmpty.Error()},
		{Source{}, maps.Options{}, ErrNoSource.Error()},
		{Source{URL: "ftp://x.test/"}, maps.Options{}, "no address of a document"},
		{Source{URL: "http://127.0.0.1:9/x"}, maps.Options{}, "gives no document"},
		{Source{URL: "http://nobody.test/x"}, maps.Options{}, "404"},
		{Source{Body: []byte("Ice")}, maps.Options{Search: "google"}, "no way to search"},
		{Source{Body: []byte("Ice")}, maps.Options{Search: "searxng=ftp://x"}, "no address of a SearXNG instance"},
		{Source{Body: []byte("Ice")}, maps.Options{Search: "list", List: []string{"http://a.test/", "nonsense"}}, "line 2"},
		{Source{Body: []byte("Ice")}, maps.Options{Pages: -1}, "pages"},
		{Source{Body: []byte("Ice")}, maps.Options{Clusters: 1000}, "communities"},
	} {
		if one, err := d.NewDocument(t.Context(), c.src, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %+v, %v; want %q", c.src, one, err, c.want)
		} else if _, option := errors.AsType[*OptionError](err); option != (c.o.Search != "" || c.o.Pages != 0 || c.o.Clusters != 0) {
			t.Errorf("%v is about an option: %t", err, option)
		}
	}
	if all, err := maps.All(t.Context(), d.st.DB); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	one := must(d.NewDocument(t.Context(), Source{Name: "notes.txt", Body: []byte("Nothing here.")}, maps.Options{}))(t)
	if one.State != maps.Waiting || one.Step != maps.StepTitles || !strings.Contains(one.Problem, document.ErrNoTitles.What) {
		t.Errorf("%+v", one)
	}
	if err := d.Go(t.Context(), one.ID); !errors.Is(err, ErrNoTitles) {
		t.Errorf("went on without titles: %v", err)
	}
	if err := d.SetTitles(t.Context(), one.ID, "", []string{"Glaciers of the north"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepPages {
		t.Errorf("%+v", one)
	}
}

// Documents of any kind come from addresses: redirected, larger than a page, PDF.
func TestDocumentFromAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	d := w.open(t)
	papers, err := os.ReadDir("../document/testdata/in")
	if err != nil || len(papers) == 0 {
		t.Fatal(err)
	}
	bib := w.bib(t, w.web.RelevantPages()[:12])
	w.on("http://papers.test/old", func(out http.ResponseWriter, r *http.Request) { http.Redirect(out, r, "/refs", http.StatusFound) })
	w.on("http://papers.test/refs", func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Type", "application/x-bibtex")
		_, _ = out.Write(bib)
		_, _ = io.WriteString(out, "\n% "+strings.Repeat("x", 5<<20))
	})
	w.on("http://papers.test/robots.txt", func(out http.ResponseWriter, r *http.Request) {
		fmt.Fprint(out, "User-agent: *\nDisallow: /private")
	})
	one := must(d.NewDocument(t.Context(), Source{URL: "http://papers.test/old"}, maps.Options{Hold: true}))(t)
	if doc, err := maps.DocumentByID(t.Context(), d.st.DB, one.Document); err != nil || doc.Source != "http://papers.test/refs" {
		t.Errorf("%+v, %v", doc, err)
	}
	if _, titles, _ := titlesOf(t, d, one.ID); len(titles) < 5 {
		t.Errorf("%q", titles)
	}
	if _, err := d.NewDocument(t.Context(), Source{URL: "http://papers.test/private/x.pdf"}, maps.Options{}); err == nil || !strings.Contains(err.Error(), "robots") {
		t.Errorf("%v", err)
	}
	if w.requests()["http://papers.test/private/x.pdf"] > 0 {
		t.Error("robots.txt was not obeyed")
	}
	// The same bytes are the same document, with the titles as the person left them.
	if err := d.SetTitles(t.Context(), one.ID, "Mine", []string{"Only this"}); err != nil {
		t.Fatal(err)
	}
	two := must(d.NewDocument(t.Context(), Source{URL: "http://papers.test/refs"}, maps.Options{Hold: true}))(t)
	if main, titles, _ := titlesOf(t, d, two.ID); two.Document != one.Document || main != "Mine" || !slices.Equal(titles, []string{"Only this"}) {
		t.Errorf("%+v %q %q", two, main, titles)
	}
}

// listed is a map whose positive pages are those of a list of addresses.
func (w *world) listed(urls []string) maps.Options {
	return maps.Options{Search: "list", List: urls, Hold: true, Pages: 60, Clusters: 2}
}

// Positive pages that are not stored are fetched, each once, however often the program is killed.
func TestPagesAreFetchedOnce(t *testing.T) {
	t.Parallel()
	effort.Long(t)
	w := newWorld(t, 6)
	d := w.open(t)
	var urls []string
	for _, url := range w.web.RelevantPages() {
		if !slices.Contains(w.visited, url) {
			urls = append(urls, url)
		}
	}
	urls = urls[:min(len(urls), 12)]
	urls = append(urls, w.visited[0], "http://nobody.test/404", "http://shut.test/paper", "http://pdf.test/x.pdf")
	w.on("http://shut.test/robots.txt", forbid)
	w.on("http://pdf.test/x.pdf", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(out, "%PDF-1.4")
	})
	var slow string
	for _, url := range urls[3:] {
		if w.web.Relevant(url) && !slices.Contains(w.visited, url) {
			slow = url
			break
		}
	}
	gate := w.untilKilled(slow)
	one := must(d.NewDocument(t.Context(), Source{Body: []byte("Glaciers"), TitlePerLine: true}, w.listed(urls)))(t)
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	waits := func(p PositivePage) bool { // for the slow page, or is in flight
		return !p.Known && p.Outcome == ""
	}
	for len(gate) == 0 || slices.ContainsFunc(must(d.Positives(t.Context(), one.ID))(t), func(p PositivePage) bool {
		return waits(p) && weburl.Host(p.URL) != weburl.Host(slow)
	}) {
		time.Sleep(time.Millisecond)
	}
	d.stop()
	if d = w.open(t); d.finish(t, one.ID).State != maps.Waiting {
		t.Fatalf("%+v", d.finish(t, one.ID))
	}
	for url, n := range w.requests() {
		if want := map[bool]int{true: 2, false: 1}[url == slow]; n != want {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	if n := w.requests()[w.visited[0]]; n > 0 {
		t.Errorf("a page that was known was asked for %d times", n)
	}
	got := map[string]PositivePage{}
	for _, p := range must(d.Positives(t.Context(), one.ID))(t) {
		got[p.URL] = p
	}
	for url, want := range map[string]string{
		w.visited[0]: "", urls[0]: "ok", slow: "ok", "http://nobody.test/404": "status", "http://shut.test/paper": "robots", "http://pdf.test/x.pdf": "type",
	} {
		if p := got[url]; p.Outcome != want || p.Known != (want == "" || want == "ok") || (p.Reason == "") != p.Known {
			t.Errorf("%s: %+v", url, p)
		}
	}
}

// Stop leaves a step to be done again.
func TestStopAndGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6)
	d := w.open(t)
	asked := make(chan struct{}, 9)
	w.on("http://slow.test/", func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	one := must(d.NewDocument(t.Context(), Source{Body: []byte("Glaciers"), TitlePerLine: true}, w.listed(append(w.visited, "http://slow.test/"))))(t)
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := d.Go(t.Context(), one.ID); !errors.Is(err, ErrWorking) {
		t.Errorf("%v", err)
	}
	if err := d.LeaveOut(t.Context(), one.ID, "http://slow.test/", true); !errors.Is(err, ErrWorking) {
		t.Errorf("%v", err)
	}
	if got := d.running.IDs(); !slices.Equal(got, []int64{one.ID}) || d.Progress(one.ID).Step != maps.StepPages {
		t.Errorf("%v, %+v", got, d.Progress(one.ID))
	}
	if err := d.Stop(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Failed || one.Step != maps.StepPages || one.Problem != Stopped {
		t.Fatalf("%+v", one)
	}
	if err := d.LeaveOut(t.Context(), one.ID, "http://slow.test/", true); err != nil {
		t.Fatal(err)
	}
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if one = d.finish(t, one.ID); one.State != maps.Waiting || len(asked) > 0 {
		t.Errorf("%+v, %d more requests, %+v", one, len(asked), must(d.Positives(t.Context(), one.ID))(t))
	}
	if err := d.Delete(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if all, err := maps.Documents(t.Context(), d.st.DB); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Wait ends with its context, and tells of the progress.
func TestWait(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6)
	d := w.open(t)
	asked := make(chan struct{}, 9)
	w.on("http://slow.test/", func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})
	one := must(d.NewDocument(t.Context(), Source{Body: []byte("Glaciers"), TitlePerLine: true}, w.listed(append(w.visited, "http://slow.test/"))))(t)
	if err := d.Go(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := d.Wait(ctx, one.ID, func(p Progress) {
		if p.Step != maps.StepPages {
			t.Errorf("%+v", p)
		}
		cancel()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := d.Wait(t.Context(), 99, nil); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// Resuming a map during its last step is not lost.
func TestGoOnAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 6)
	d := w.open(t)
	one := must(d.NewDocument(t.Context(), Source{Body: []byte("Glaciers"), TitlePerLine: true}, w.listed(w.visited)))(t)
	for range 4 {
		if err := d.SetTitles(t.Context(), one.ID, "Glaciers", nil); err != nil {
			t.Fatal(err)
		}
		if err := d.Go(t.Context(), one.ID); err != nil {
			t.Fatal(err)
		}
		for one.State = maps.Working; one.State == maps.Working; { // the store says it before the job has ended
			one = must(maps.ByID(t.Context(), d.st.DB, one.ID))(t)
		}
		if one.State != maps.Waiting || one.Step != maps.StepPages {
			t.Fatalf("%+v", one)
		}
	}
}

// With too few pages, the person is told before any is fetched.
func TestTooFewPagesAreNotFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	d := w.open(t)
	o := maps.Options{Search: "list", List: w.web.RelevantPages()[:trainingdata.MinPositives-1]}
	one := must(d.NewDocument(t.Context(), Source{Name: "refs.bib", Body: w.bib(t, o.List)}, o))(t)
	if one = d.finish(t, one.ID); one.State != maps.Failed || !strings.Contains(one.Problem, "4 pages were found, none was fetched: "+trainingdata.ErrFewPositives.Error()) {
		t.Errorf("%+v", one)
	}
	if len(w.requests()) > 0 {
		t.Errorf("asked for %v", w.requests())
	}
}
