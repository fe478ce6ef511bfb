package night

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
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

// TestDraw checks that the picture is XML with every span and kill.
func TestDraw(t *testing.T) {
	happened := []happening{
		{event: event{What: kill}, From: opens.Add(time.Hour), To: opens.Add(time.Hour)},
		{event: event{What: setBack, For: 10 * time.Minute}, From: opens.Add(2 * time.Hour), To: opens.Add(110 * time.Minute)},
		{event: event{What: offline, For: time.Minute}, From: opens.Add(3 * time.Hour), To: opens.Add(181 * time.Minute)},
		{event: event{What: poisoned, Host: "<&>"}, From: opens, To: opens},
	}
	fetches := []recorded{{At: opens.Add(time.Minute), Cost: 1}, {At: opens, Cost: 1, Relevant: true}, {At: opens.Add(4 * time.Hour)}}
	var b bytes.Buffer
	if err := draw(&b, "A night & more", "about", opens, 4*time.Hour, courses(fetches), happened); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					count[a.Value]++
				}
			}
		}
	}
	if count["line"] != 2 || count["kill"] != 2 || count["span"] != 4 {
		t.Errorf("%d lines, %d kills and %d spans; want 2, and one kill and two spans in each of two panels", count["line"], count["kill"], count["span"])
	}
}

func TestCourses(t *testing.T) {
	all := courses([]recorded{{At: opens.Add(2), Cost: 1}, {At: opens.Add(1), Relevant: true, Cost: 1}, {At: opens.Add(3)}})
	if want := []float64{1, 2, 2}; !slices.Equal(all[0].much, want) {
		t.Errorf("pages %v, want %v", all[0].much, want)
	}
	if want := []float64{1, 1, 1}; !slices.Equal(all[1].much, want) {
		t.Errorf("relevant %v, want %v", all[1].much, want)
	}
}
