package crawls

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// hostNow is the time of these tests.
var hostNow = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

// mustHosts opens hosts and gives them states, as a fetcher does.
func mustHosts(t *testing.T, m *HostMemory, states ...fetch.HostState) {
	t.Helper()
	for _, h := range states {
		storetest.OK(t, m.Open(t.Context(), h.Host))
		storetest.OK(t, m.Keep(t.Context(), h, true))
	}
}

// mustLoad returns what a later start of the program knows of hosts, by name.
func mustLoad(t *testing.T, s *store.Store) map[string]fetch.HostState {
	t.Helper()
	all := storetest.Must(NewHostMemory(s.DB).Load(t.Context()))(t)
	by := map[string]fetch.HostState{}
	for _, h := range all {
		by[h.Host] = h
	}
	return by
}

// mustKill opens a copy of a store's files, which is what a program finds that starts after a kill.
func mustKill(t *testing.T, s *store.Store) *store.Store {
	t.Helper()
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		data := storetest.Must(os.ReadFile(s.Path() + suffix))(t)
		storetest.OK(t, os.WriteFile(filepath.Join(dir, "nightjar.db"+suffix), data, 0o600))
	}
	after := storetest.Must(store.Open(t.Context(), filepath.Join(dir, "nightjar.db")))(t)
	t.Cleanup(func() { after.Close() })
	after.Now = s.Now
	return after
}

// TestHostMemory: what a host asked for is there after a kill at any moment. A state that was not urgent comes with the next
// change; until then the host is open, and after an orderly end it is not.
func TestHostMemory(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	asked := fetch.HostState{Host: "busy.test", Asked: hostNow, Set: hostNow, NotBefore: hostNow.Add(5 * time.Second), Why: fetch.RestAsked, Busy: 2}
	calm := fetch.HostState{Host: "calm.test", Asked: hostNow, Set: hostNow, NotBefore: hostNow.Add(time.Second)}
	mustHosts(t, m, asked)
	storetest.OK(t, m.Open(t.Context(), "calm.test"))
	storetest.OK(t, m.Keep(t.Context(), calm, false))
	if err := m.Keep(t.Context(), fetch.HostState{Host: "never-opened.test"}, true); err != nil { // writes calm.test, too
		t.Fatal(err)
	}
	late := calm
	late.Asked, late.NotBefore = hostNow.Add(time.Second), hostNow.Add(2*time.Second)
	storetest.OK(t, m.Keep(t.Context(), late, false))
	asked.Open, calm.Open = true, true
	if got := mustLoad(t, mustKill(t, s)); len(got) != 2 || got["busy.test"] != asked || got["calm.test"] != calm {
		t.Errorf("after a kill: %+v", got)
	}
	storetest.OK(t, m.Close(t.Context()))
	asked.Open = false
	if got := mustLoad(t, mustKill(t, s)); len(got) != 2 || got["busy.test"] != asked || got["calm.test"] != late {
		t.Errorf("after an orderly end: %+v", got)
	}
}

// TestHostsAreNotAskedEarlier: times are stored in milliseconds, and none of them lets a host be asked a part of one too soon.
func TestHostsAreNotAskedEarlier(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	for _, part := range []time.Duration{0, 1, 499_999, 500_000, 999_999} {
		wants := hostNow.Add(time.Second + part)
		mustHosts(t, m, fetch.HostState{Host: "asked.test", Asked: hostNow, Set: hostNow, NotBefore: wants})
		got := mustLoad(t, s)["asked.test"].NotBefore
		if early := wants.Sub(got); early > 0 || early <= -time.Millisecond {
			t.Errorf("%v is kept as %v", wants, got)
		}
	}
}

// TestBegunHostsAreOpen: the commit that lets a fetch start opens its host, and writes the states that wait. One that fails
// does neither, and loses no state.
func TestBegunHostsAreOpen(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{"http://a.test/", "http://b.test/"}})
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	mustHosts(t, m, fetch.HostState{Host: "c.test"})
	state := fetch.HostState{Host: "c.test", Asked: hostNow, Set: hostNow, NotBefore: hostNow.Add(time.Second)}
	storetest.OK(t, m.Keep(t.Context(), state, false))
	state.Open = true
	j := NewJournal(s.DB, c)
	j.Hosts = m
	if err := j.Commit(t.Context(), &crawler.Batch{Begun: []string{"http://a.test/", "http://unknown.test/"}}); err == nil {
		t.Fatal("a fetch of an unknown link started")
	}
	if m.isOpen("a.test") || len(mustLoad(t, mustKill(t, s))) != 1 {
		t.Error("a commit that failed opened a host")
	}
	mustCommit(t, j, &crawler.Batch{Begun: []string{"http://a.test/"}})
	got := mustLoad(t, mustKill(t, s))
	if len(got) != 2 || !got["a.test"].Open || got["c.test"] != state || !m.isOpen("a.test") {
		t.Errorf("after the commit: %+v", got)
	}
}

// TestHostFiles: robots.txt, the result of a probe and the list of a host are there after a kill. The list of a host that is not open
// is not stored.
func TestHostFiles(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	mustHosts(t, m, fetch.HostState{Host: "a.test"}, fetch.HostState{Host: "big.test"})
	files := []fetch.RobotsFile{
		{Origin: "http://a.test:8080", Read: hostNow, Keep: time.Hour, Body: []byte("User-agent: *\nCrawl-delay: 7"), Delay: 7 * time.Second},
		{Origin: "https://a.test", Read: hostNow, Keep: time.Hour, Body: []byte{}},
		{Origin: "http://big.test", Read: hostNow, Keep: time.Minute, Outcome: fetch.Network, Reason: "no answer"},
	}
	for _, f := range slices.Backward(files) {
		storetest.OK(t, m.PutRobots(t.Context(), f))
	}
	noise := make([]byte, 2*maxMissing)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	for host, page := range map[string][]byte{"a.test": []byte("<p>Not here"), "big.test": noise} {
		storetest.OK(t, m.PutProbe(t.Context(), host, page, hostNow))
	}
	mustPutList(t, m, "a.test", `{"of":[{"url":"http://a.test/1.xml","read":true,"pages":[{"url":"http://a.test/old"}]}]}`)
	list := mustPutList(t, m, "a.test", `{"of":[{"url":"http://www.a.test/1.xml","site":true,"read":true,"at":"http://www.a.test/2.xml","etag":"\"x\"","modified":"Thu, 05 Nov 2020 12:00:00 GMT",
		"pages":[{"url":"http://a.test/1","title":"One","changed":"2026-01-02T03:04:05Z"},{"url":"http://a.test/2?a=1\u0026b=2"}],"sitemaps":["http://a.test/3.xml"]},
		{"url":"http://a.test/rss","site":true,"feed":true,"read":false}],"looks":[1,-2.5]}`)
	empty := mustPutList(t, m, "big.test", `{"of":null,"looks":[-1]}`)
	mustPutList(t, m, "x.test", `{"of":[{"url":"http://x.test/rss","feed":true,"read":false}]}`)

	killed := mustKill(t, s)
	after := NewHostMemory(killed.DB)
	for _, want := range files {
		got, ok := after.Robots(t.Context(), want.Origin)
		want.Delay = 0 // it is in the state of the host, and in the file
		if !ok || got.Origin != want.Origin || !got.Read.Equal(want.Read) || got.Keep != want.Keep || !bytes.Equal(got.Body, want.Body) ||
			got.Outcome != want.Outcome || got.Reason != want.Reason {
			t.Errorf("%+v, %v; want %+v", got, ok, want)
		}
	}
	if got := mustLoad(t, killed)["a.test"].Delay; got != 7*time.Second {
		t.Errorf("Crawl-delay %v", got)
	}
	if page, at, ok := after.Probe(t.Context(), "a.test"); string(page) != "<p>Not here" || !at.Equal(hostNow) || !ok {
		t.Errorf("a probe: %q, %v, %v", page, at, ok)
	}
	if page, _, ok := after.Probe(t.Context(), "big.test"); page != nil || !ok {
		t.Errorf("a probe with a page of noise: %d bytes, %v", len(page), ok)
	}
	for _, want := range []fetch.HostList{list, empty} {
		if got, ok := after.List(t.Context(), want.Host); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("list: %+v, %v; want %+v", got, ok, want)
		}
	}
	for _, name := range []string{"x.test", "http://x.test"} {
		_, robots := after.Robots(t.Context(), name)
		_, _, probed := after.Probe(t.Context(), name)
		_, listed := after.List(t.Context(), name)
		if robots || probed || listed {
			t.Errorf("%s is known", name)
		}
	}
}

// TestHostsErased: erasing a site forgets all that it and the hosts below it asked for, also what was about to be written, and
// nothing of others.
func TestHostsErased(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	names := []string{"a.test", "www.a.test", "nota.test", "b.test"}
	for _, name := range names {
		mustHosts(t, m, fetch.HostState{Host: name, NotBefore: hostNow})
		storetest.OK(t, m.PutRobots(t.Context(), fetch.RobotsFile{Origin: "http://" + name, Read: hostNow, Keep: time.Hour}))
		mustPutList(t, m, name, `{"of":[]}`)
	}
	storetest.OK(t, m.Keep(t.Context(), fetch.HostState{Host: "a.test", Asked: hostNow}, false))
	storetest.Must(eraseHost(t.Context(), s, "a.test"))(t)
	storetest.OK(t, m.Close(t.Context()))
	got := mustLoad(t, s)
	if len(got) != 2 || got["nota.test"].Host == "" || got["b.test"].Host == "" {
		t.Errorf("left: %+v", got)
	}
	for _, name := range names {
		if _, ok := m.Robots(t.Context(), "http://"+name); ok != (got[name].Host != "") {
			t.Errorf("robots.txt of %s: %v", name, ok)
		}
		if _, ok := m.List(t.Context(), name); ok != (got[name].Host != "") {
			t.Errorf("list of %s: %v", name, ok)
		}
	}
	storetest.Grep(t, s, "www.a.test")
	storetest.OK(t, erasing.All(t.Context(), s))
	if got := mustLoad(t, s); len(got) != 0 {
		t.Errorf("after all was erased: %+v", got)
	}
}

// TestHostsForgotten: a host that asks for nothing any more is forgotten after a month, a robots.txt when it has expired.
func TestHostsForgotten(t *testing.T) {
	s := storetest.Open(t)
	now := hostNow
	s.Now = func() time.Time { return now }
	m := NewHostMemory(s.DB)
	mustHosts(t, m, fetch.HostState{Host: "old.test", Asked: now, Set: now, NotBefore: now})
	now = now.Add(hostsRemembered - time.Hour)
	mustHosts(t, m, fetch.HostState{Host: "new.test", Asked: now, Set: now, NotBefore: now})
	storetest.OK(t, m.PutRobots(t.Context(), fetch.RobotsFile{Origin: "http://new.test", Read: now, Keep: time.Hour}))
	storetest.OK(t, m.Close(t.Context()))
	if got := mustLoad(t, s); len(got) != 2 {
		t.Errorf("within the month: %+v", got)
	}
	now = now.Add(2 * time.Hour)
	if got := mustLoad(t, s); len(got) != 1 || got["new.test"].Host == "" {
		t.Errorf("after the month: %+v", got)
	}
	if _, ok := m.Robots(t.Context(), "http://new.test"); ok {
		t.Error("an expired robots.txt is still there")
	}
}

// TestHostMemoryTogether: the change of each of many callers at the same time is made once; one that fails is not.
func TestHostMemoryTogether(t *testing.T) {
	s := storetest.Open(t)
	const callers = 40
	began := make(chan struct{})
	var waiting, group sync.WaitGroup
	var writes atomic.Int64
	m := NewHostMemory(s.DB)
	m.writing.Lock()
	waiting.Add(callers)
	for i := range callers {
		group.Go(func() {
			waiting.Done()
			<-began
			if err := m.write(t.Context(), func(w *db.Work) {
				writes.Add(1)
				w.Exec(openHost, fmt.Sprintf("h%d.test", i))
			}); err != nil {
				t.Error(err)
			}
		})
	}
	waiting.Wait()
	close(began)
	m.writing.Unlock()
	group.Wait()
	if n := storetest.Count(t, s, "SELECT count(*) FROM hosts WHERE open = 1"); n != callers || writes.Load() != callers {
		t.Errorf("%d hosts after %d changes", n, writes.Load())
	}
	failing := func(w *db.Work) { w.Fail(errors.New("no")) }
	if err := m.write(t.Context(), failing); err == nil {
		t.Error("a change that failed counts as made")
	}
}
