package worktest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// Make makes a dispatcher whose hands fetch with the options, and the fetcher of the daemon's side, which knows when the next
// request may go to a host. Both end with the test. Known, Keep and Probe of the options say what the daemon has and
// wants; hands with a fetcher of their own have no Known.
type Make func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher)

// patience bounds the wait for one result.
const patience = 3 * time.Minute // a task that a busy machine did not start in time comes back when its lease is over

// Run runs the suite.
func Run(t *testing.T, make Make) {
	before := goleak.IgnoreCurrent()
	for name, test := range map[string]func(*testing.T, *bench){
		"same answers as a fetcher":   sameAnswers,
		"one result a task":           oneResult,
		"cancel":                      cancel,
		"canceled before":             canceledBefore,
		"not modified":                notModified,
		"the stored copy is asked":    modified,
		"facts of hosts are kept":     facts,
		"hosts that ask to wait":      waits,
		"robots.txt on another host":  robotsElsewhere,
		"bodies only for the archive": bodies,
		"width":                       width,
	} {
		t.Run(name, func(t *testing.T) { test(t, &bench{t: t, farm: NewFarm(t), make: make}) })
	}
	if !t.Failed() {
		goleak.VerifyNone(t, before)
	}
}

// bench is what one test works with.
type bench struct {
	t    *testing.T
	farm *Farm
	make Make
	d    work.Dispatcher
	f    fetch.Fetcher
}

// open makes the dispatcher, with the farm's options changed by with.
func (b *bench) open(with func(*fetch.LiveOptions)) {
	o := b.farm.Options()
	if with != nil {
		with(&o)
	}
	b.d, b.f = b.make(b.t, o)
}

func (b *bench) next() work.Result {
	b.t.Helper()
	select {
	case r := <-b.d.Results():
		return r
	case <-time.After(patience):
		b.t.Fatal("no result came")
	}
	return work.Result{}
}

// do dispatches a task and returns its result. Like a crawl, it tries again when the host must be left alone for a moment.
func (b *bench) do(url string) work.Result {
	b.t.Helper()
	for range 5 {
		b.d.Dispatch(b.t.Context(), work.Task{URL: url})
		r := b.next()
		if r.URL != url {
			b.t.Fatalf("the result for %s says that it is for %q", url, r.URL)
		}
		if r.Response.Outcome != fetch.Later || b.f.ReadyAt(url).After(time.Now().Add(time.Second)) {
			return r
		}
	}
	b.t.Fatalf("%s is fetched later, again and again", url)
	return work.Result{}
}

// request is what the ledger shows of an exchange.
type request struct {
	URL     string
	Purpose fetch.Purpose
	Status  int
	Cut     fetch.Outcome
}

func requests(list []fetch.Exchange) (all []request) {
	for _, x := range list {
		all = append(all, request{x.URL, x.Purpose, x.Status, x.Cut})
	}
	return all
}

// sameAnswers compares the results for a farm of pages, redirects and broken answers with those of a plain fetcher.
func sameAnswers(t *testing.T, b *bench) {
	b.open(nil)
	plain := fetch.NewLive(b.farm.Options())
	defer func() { _ = plain.Close() }() // it has no memory that could fail
	for _, url := range addresses() {
		want, r := plain.Fetch(t.Context(), url), b.do(url)
		got := r.Response
		p, _ := work.Parser(work.HTML).Read(&want)
		differ(t, url+": requests", requests(want.Exchanges), requests(got.Exchanges))
		if p != nil && r.Page == nil && got.Outcome == fetch.OK { // whoever dispatched it parses it
			r.Page, _ = work.Parser(work.HTML).Read(&got)
		}
		differ(t, url+": pages", p, r.Page)
		want.Exchanges, got.Exchanges = nil, nil
		want.Took, got.Took = 0, 0
		differ(t, url+": answers", want, got)
	}
}

// differ reports how the hands differ from the fetcher. To describe a difference takes long, to look for one does not.
func differ(t *testing.T, what string, fetcher, hands any) {
	t.Helper()
	if !reflect.DeepEqual(fetcher, hands) {
		t.Errorf("%s of the fetcher (-) and of the hands (+):\n%s", what, cmp.Diff(fetcher, hands))
	}
}

// oneResult dispatches many tasks at once.
func oneResult(t *testing.T, b *bench) {
	b.open(nil)
	left := map[string]bool{}
	for _, url := range addresses() {
		left[url] = true
	}
	for url := range left {
		b.d.Dispatch(t.Context(), work.Task{URL: url})
	}
	for n := len(left); n > 0; n-- {
		r := b.next()
		if !left[r.URL] {
			t.Fatalf("a result for %q, which no task is left for", r.URL)
		}
		delete(left, r.URL)
		if r.Response.Outcome == "" || r.Response.FinalURL == "" {
			t.Errorf("the result for %s says nothing: %+v", r.URL, r.Response)
		}
	}
	select {
	case r := <-b.d.Results():
		t.Errorf("one result too many, for %s", r.URL)
	case <-time.After(20 * time.Millisecond): // nothing can be waited for
	}
	if _, most := b.farm.Asked(); most > 1 {
		t.Errorf("%d requests to one host at the same time", most)
	}
	b.d.Dispatch(t.Context(), work.Task{URL: "http://a.test/again"})
	if r := b.next(); r.URL != "http://a.test/again" || r.Response.Outcome != fetch.OK {
		t.Errorf("afterwards %s has the outcome %s (%s)", r.URL, r.Response.Outcome, r.Response.Reason)
	}
}

// cancel ends the context of a task whose server does not answer.
func cancel(t *testing.T, b *bench) {
	b.open(nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	b.d.Dispatch(ctx, work.Task{URL: "http://slow.test/"})
	for b.farm.times("slow.test/") == 0 {
		if ctx.Err() != nil {
			t.Fatal("the page was never requested")
		}
		time.Sleep(time.Millisecond) // the farm says when the request is there
	}
	stop()
	r := b.next()
	if r.URL != "http://slow.test/" || r.Response.Outcome != fetch.Canceled {
		t.Errorf("a canceled task has the outcome %s", r.Response.Outcome)
	}
	if b.d.Durable() && r.Task != "" {
		t.Error("a canceled task counts as used up, though its page may still come")
	}
	if got := b.do("http://a.test/"); got.Response.Outcome != fetch.OK {
		t.Errorf("the next task has the outcome %s (%s)", got.Response.Outcome, got.Response.Reason)
	}
}

// canceledBefore dispatches a task whose context has ended.
func canceledBefore(t *testing.T, b *bench) {
	b.open(nil)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	b.d.Dispatch(ctx, work.Task{URL: "http://a.test/"})
	if r := b.next(); r.URL != "http://a.test/" || r.Response.Outcome != fetch.Canceled {
		t.Errorf("the outcome is %s", r.Response.Outcome)
	}
	if n := b.farm.times("a.test/"); n != 0 {
		t.Errorf("its page was requested %d times", n)
	}
}

// notModified asks for a page that the daemon has.
func notModified(t *testing.T, b *bench) {
	body := []byte("<title>old</title><p>The stored copy.")
	b.open(func(o *fetch.LiveOptions) {
		o.Known = func(_ context.Context, url string) (fetch.Known, bool) {
			return fetch.Known{ETag: oldTag, Body: body}, url == "http://a.test/etag"
		}
	})
	r := b.do("http://a.test/etag")
	if res := r.Response; res.Outcome != fetch.OK || !res.NotModified || string(res.Body) != string(body) || res.ETag != oldTag {
		t.Errorf("outcome %s, not modified %v, body %q", res.Outcome, res.NotModified, res.Body)
	}
	if r.Page != nil && r.Page.Title != "old" {
		t.Errorf("the page is %q, not the stored copy", r.Page.Title)
	}
	if other := b.do("http://a.test/other").Response; other.NotModified || other.Outcome != fetch.OK {
		t.Errorf("another page of the host: not modified %v, outcome %s", other.NotModified, other.Outcome)
	}
}

// modified asks for a page of which the daemon has an older version.
func modified(t *testing.T, b *bench) {
	b.open(func(o *fetch.LiveOptions) {
		o.Known = func(context.Context, string) (fetch.Known, bool) {
			return fetch.Known{ETag: `"v0"`, Body: []byte("<title>old</title>")}, true
		}
	})
	if r := b.do("http://a.test/etag").Response; r.NotModified || r.Outcome != fetch.OK || r.ETag != oldTag || slices.Equal(r.Body, []byte("<title>old</title>")) {
		t.Errorf("not modified %v, outcome %s, tag %s", r.NotModified, r.Outcome, r.ETag)
	}
}

// facts: robots.txt and the probe of a host are requested once, whatever task comes first.
func facts(t *testing.T, b *bench) {
	b.open(func(o *fetch.LiveOptions) { o.Probe = true })
	for _, path := range []string{"one", "two", "three"} {
		if r := b.do("http://a.test/" + path); r.Response.Outcome != fetch.OK {
			t.Fatalf("%s: %s", path, r.Response.Reason)
		}
	}
	list, _ := b.farm.Asked()
	probes := 0
	for _, a := range list {
		if len(a) == len("a.test/")+20 {
			probes++
		}
	}
	if b.farm.times("a.test/robots.txt") != 1 || probes != 1 || len(list) != 5 {
		t.Errorf("the host was asked for %v", list)
	}
}

// waits: the daemon's fetcher knows that a host must be left alone, whoever asked it.
func waits(t *testing.T, b *bench) {
	b.open(nil)
	r := b.do("http://busy.test/").Response
	if r.Outcome != fetch.Status || r.Status != 503 {
		t.Errorf("outcome %s, status %d", r.Outcome, r.Status)
	}
	if at := time.Until(b.f.ReadyAt("http://busy.test/x")); at < 50*time.Minute {
		t.Errorf("the host asked for an hour, and may be asked in %v", at)
	}
	if at := b.f.ReadyAt("http://a.test/"); !at.IsZero() {
		t.Errorf("another host must wait until %v", at)
	}
}

// robotsElsewhere fetches from a host whose robots.txt redirects to another host.
func robotsElsewhere(t *testing.T, b *bench) {
	b.open(nil)
	if r := b.do("http://elsewhere.test/page").Response; r.Outcome != fetch.OK {
		t.Errorf("outcome %s (%s)", r.Outcome, r.Reason)
	}
	if r := b.do("http://elsewhere.test/private/page").Response; r.Outcome != fetch.Robots {
		t.Errorf("a page that it forbids has the outcome %s (%s)", r.Outcome, r.Reason)
	}
	if n := b.farm.times("elsewhere.test/private/page"); n != 0 {
		t.Errorf("a forbidden page was requested %d times", n)
	}
}

// bodies: headers and bodies of exchanges travel only when the archive wants them.
func bodies(t *testing.T, b *bench) {
	for _, keep := range []bool{false, true} {
		b.open(func(o *fetch.LiveOptions) { o.Keep = keep })
		r := b.do("http://gzip.test/").Response
		x := r.Exchanges[len(r.Exchanges)-1]
		if (len(x.Body) > 0) != keep || (x.Header != nil) != keep || (x.RequestHeader != nil) != keep || (x.Proto != "") != keep {
			t.Errorf("keep %v: %d bytes, header %v, request header %v, protocol %q", keep, len(x.Body), x.Header, x.RequestHeader, x.Proto)
		}
		if keep && (x.Header.Get("Content-Encoding") != "gzip" || slices.Equal(x.Body, r.Body)) {
			t.Error("the body for the archive is not as it was sent")
		}
		if len(r.Body) == 0 {
			t.Error("the page is missing")
		}
	}
}

// width is at least 1.
func width(t *testing.T, b *bench) {
	if b.open(nil); b.d.Width() < 1 {
		t.Errorf("the width is %d", b.d.Width())
	}
}
