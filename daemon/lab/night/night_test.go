package night

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/lab/farm"
)

var opens = time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)

// at is a request so many seconds after opening.
func at(seconds float64, host, path string, status, epoch int) request {
	return request{farm.Request{Host: host, Path: path, At: opens.Add(time.Duration(seconds * float64(time.Second))), Status: status}, epoch}
}

func TestPlan(t *testing.T) {
	hosts := []string{"a.test", "b.test"}
	one, again := plan(7, 4*time.Hour, 12, hosts), plan(7, 4*time.Hour, 12, hosts)
	if !reflect.DeepEqual(one, again) {
		t.Error("the same seed makes two plans")
	}
	kills := 0
	for i, e := range one {
		if i > 0 && e.At < one[i-1].At {
			t.Errorf("%s is out of order", e.Words())
		}
		if e.At < 0 || e.At > 4*time.Hour {
			t.Errorf("%s at %v is not in the night", e.Words(), e.At)
		}
		if e.What == kill {
			kills++
		}
		if e.What == poisoned && !slices.Contains(hosts, e.Host) {
			t.Errorf("a toxic for %q", e.Host)
		}
	}
	if kills != 12 {
		t.Errorf("%d kills", kills)
	}
}

func TestTooNear(t *testing.T) {
	all := []request{
		at(0, "a", "/", 200, 0), at(10, "a", "/1", 200, 0), at(1, "b", "/", 200, 0),
		at(19, "a", "/2", 200, 0), // 9 s
		at(20, "a", "/3", 200, 1), // the clock was set between
		at(30, "a", "/4", 200, 1),
	}
	if pairs, bad, least := tooNear(all, 10*time.Second); pairs != 3 || len(bad) != 1 || least != 9*time.Second {
		t.Errorf("%d pairs, %d too close, the closest %v; want 3, 1, 9s", pairs, len(bad), least)
	}
}

func TestTooEarly(t *testing.T) {
	sooner := func(r request) request { r.Early = true; return r }
	all := []request{
		at(0, "a", "/", 429, 0), sooner(at(10, "a", "/1", 429, 0)), // early
		at(0, "b", "/", 429, 0), sooner(at(20, "b", "/1", 429, 1)), // the clock was set between
		at(0, "c", "/", 200, 0), at(400, "a", "/2", 200, 1),
	}
	if early := tooEarly(all); len(early) != 1 || early[0].Path != "/1" || early[0].Host != "a" {
		t.Errorf("%v", early)
	}
}

func TestRepeats(t *testing.T) {
	all := []request{
		at(0, "a", "/", 200, 0), at(1, "a", "/", 200, 0), at(2, "a", "/", 200, 0), // three times
		at(3, "a", "/x", 0, 0), at(4, "a", "/x", 200, 0), // once whole
		at(5, "a", "/robots.txt", 200, 0),
	}
	times, most := repeats(all, func(r request) bool { return r.Path != "/robots.txt" })
	if most != 3 || times[1] != 1 || times[3] != 1 || len(times) != 2 {
		t.Errorf("%v, at most %d", times, most)
	}
}

func TestCompareLedger(t *testing.T) {
	all := []request{at(0, "a", "/", 200, 0), at(1, "a", "/1", 200, 0), at(2, "b", "/", 200, 0)}
	seen, listed, lacking, unseen := compareLedger(all, []contact{{Host: "a", Purpose: "page", Requests: 1}, {Host: "c", Purpose: "page", Requests: 4}})
	if seen != 3 || listed != 5 || lacking != 2 || unseen != 4 {
		t.Errorf("seen %d, listed %d, lacking %d, unseen %d; want 3, 5, 2, 4", seen, listed, lacking, unseen)
	}
}

func TestAfterSleep(t *testing.T) {
	n := &night{happened: []happening{{event: event{What: asleep}, From: opens.Add(20 * time.Minute), To: opens.Add(40 * time.Minute)}}}
	var all []request
	for i := range 20 * 60 { // one a second before, ten at once after
		all = append(all, at(float64(i), "a", "/", 200, 0))
	}
	for range 10 {
		all = append(all, at(40*60+5, "a", "/", 200, 1))
	}
	burst, usual := afterSleep(n, all)
	if burst != 10 || usual < 59 || usual > 61 {
		t.Errorf("%v in the first minute after %v a minute; want 10 and about 60", burst, usual)
	}
}
