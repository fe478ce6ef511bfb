package bench

import (
	"fmt"
	"path/filepath"
	"testing"

	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// TestMadeUpLists: about as many hosts as wanted publish a list, the same ones for the same seed, under both schemes. Most lists name
// most pages of their host, and some addresses that lead nowhere; some name nothing else.
func TestMadeUpLists(t *testing.T) {
	const hosts, each = 100, 12
	dir := t.TempDir()
	var urls []string
	for i := range hosts {
		for j := range each {
			urls = append(urls, fmt.Sprintf("http://host%d.test/%d", i, j))
		}
	}
	record(t, dir, "web.warc.gz", urls, nil)
	replay, _, err := recording.Open([]string{filepath.Join(dir, "web.warc.gz")})
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	pages := make(map[string]bool)
	for _, url := range replay.Pages() {
		pages[url] = true
	}
	for _, percent := range []int{0, 30, 100} {
		l, again := withLists(replay, percent, 7), withLists(replay, percent, 7)
		lists, honest, lying, long := 0, 0, 0, 0
		for i := range hosts {
			home := fmt.Sprintf("https://host%d.test/", i)
			of, same := l.List(t.Context(), home).Lists, again.List(t.Context(), "http"+home[len("https"):]).Lists
			if fmt.Sprint(of) == "[]" && len(same) == 0 {
				continue
			}
			lists++
			if len(of) != 1 || len(same) != 1 || len(of[0].Pages) != len(same[0].Pages) || of[0].Pages[0] != same[0].Pages[0] {
				t.Fatalf("%s lists something else the second time", home)
			}
			there := 0
			for _, p := range of[0].Pages {
				if pages[p.URL] {
					there++
				}
				if weburl.Host(p.URL) != weburl.Host(home) || p.Changed.IsZero() {
					t.Fatalf("%s lists %+v", home, p)
				}
			}
			switch gone := len(of[0].Pages) - there; {
			case there == 0:
				lying++
			case gone > each:
				long++
			case there >= each/2:
				honest++
			}
		}
		if most := hosts * percent / 100; lists < most*6/10 || lists > most*14/10 || percent > 0 && (honest < lists*6/10 || lying == 0) || percent == 100 && long == 0 {
			t.Errorf("%d %%: %d lists, %d of them honest, %d lying, %d long", percent, lists, honest, lying, long)
		}
	}
}

// TestListsAreRead: a crawl finds pages to which no link leads once their hosts list them, and the oracle does not.
func TestListsAreRead(t *testing.T) {
	task := evenings(1)
	task.Strategies = []string{"link-value"}
	dir := madeUp(t)
	without := mustRun(t, runner(t, dir), task, Cost)
	task.Lists = 100
	with := mustRun(t, runner(t, dir), task, Cost)
	if a, b := without.named(t, Oracle), with.named(t, Oracle); a.Area != b.Area || without.RelevantTotal != with.RelevantTotal {
		t.Errorf("the oracle's area is %v with lists, and %v without", b.Area, a.Area)
	}
	if a, b := without.named(t, "link-value"), with.named(t, "link-value"); fmt.Sprint(a.Harvest) == fmt.Sprint(b.Harvest) {
		t.Error("lists changed nothing")
	}
	task.Lists = 101
	if _, err := runner(t, dir).Run(t.Context(), task, Cost); err == nil {
		t.Error("101 % of the hosts are accepted")
	}
}

// TestSuiteWithLists: the tasks of a suite are measured once for each share of hosts with lists, in groups of their own.
func TestSuiteWithLists(t *testing.T) {
	s := &Suite{Tasks: []Task{{Name: "a", Group: "A"}, {Name: "b"}}}
	s.WithLists([]int{0, 60})
	var got []string
	for _, t := range s.Tasks {
		got = append(got, fmt.Sprintf("%s in %q: %d", t.Name, t.Group, t.Lists))
	}
	if want := `[a in "A": 0 b in "": 0 a-lists-60 in "A, lists on 60 % of the hosts": 60 b-lists-60 in "": 60]`; fmt.Sprint(got) != want {
		t.Errorf("%v; want %s", got, want)
	}
}
