package worker

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// TestCheck: what a worker does for a daemon that means no good.
func TestCheck(t *testing.T) {
	rule, err := fetch.ParseResolve("*.farm.test=127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	o := optionsOf(newDaemon(), after(0))
	o.Resolve, o.AllowPrivate = []fetch.Resolve{rule}, []netip.Prefix{netip.MustParsePrefix("192.168.7.0/24")}
	w, err := newWorker(o)
	if err != nil {
		t.Fatal(err)
	}
	at := func(url string) func(*work.Task) { return func(k *work.Task) { k.URL = url } }
	robots := func(n, size int) func(*work.Task) {
		return func(k *work.Task) {
			k.Host.Robots = make([]work.Robots, n)
			k.Host.Robots[0].Body = make([]byte, size)
		}
	}
	for name, change := range map[string]func(*work.Task){
		"no number":       func(k *work.Task) { k.ID = "" },
		"long number":     func(k *work.Task) { k.ID = strings.Repeat("a", 65) },
		"header":          func(k *work.Task) { k.ID = "a\r\nb" },
		"attempt 0":       func(k *work.Task) { k.Attempt = 0 },
		"attempt 101":     func(k *work.Task) { k.Attempt = 101 },
		"file":            at("file:///etc/passwd"),
		"gopher":          at("gopher://a.example/"),
		"javascript":      at("javascript:alert(1)"),
		"nothing":         at(""),
		"relative":        at("/etc/passwd"),
		"capitals":        at("HTTPS://A.EXAMPLE/"),
		"fragment":        at("https://a.example/#a"),
		"long":            at("https://a.example/" + strings.Repeat("a", 3000)),
		"no start":        func(k *work.Task) { k.StartWithin = 0 },
		"no time":         func(k *work.Task) { k.FetchTimeout = -1 },
		"many robots":     robots(17, 1),
		"large robots":    robots(1, fetch.MaxBody+1),
		"large not-found": func(k *work.Task) { k.Host.Missing = make([]byte, fetch.MaxBody+1) },
	} {
		k := task("a1", "a.example")
		change(&k)
		if got, err := w.check(k); err == nil {
			t.Errorf("%s: accepted as %+v", name, got)
		}
	}
	for _, c := range []struct {
		url         string
		delay, want time.Duration
	}{
		{"https://a.example/", 0, time.Second},
		{"https://a.example/", -time.Hour, time.Second},
		{"https://a.example/", 5 * time.Second, 5 * time.Second},
		{"https://a.example/", 1000 * time.Hour, time.Hour},
		{"http://one.farm.test/", 0, 0},
		{"http://one.farm.test:8080/", 10 * time.Millisecond, 10 * time.Millisecond},
		{"http://farm.test/", 0, time.Second},
		{"http://192.168.7.9:8080/", 0, 0},
		{"http://192.168.8.9/", 0, time.Second},
	} {
		k := task("a1", "a.example")
		k.URL, k.Delay, k.StartWithin, k.FetchTimeout, k.ETag = c.url, c.delay, time.Hour, time.Hour, "\"a\"\r\nCookie: b"
		k, err := w.check(k)
		if err != nil || k.Delay != c.want || k.StartWithin != maxStartWithin || k.FetchTimeout != maxFetchTimeout || k.ETag != "" {
			t.Errorf("%s with %v: %v, %+v", c.url, c.delay, err, k)
		}
	}
}

// TestGrantsThatLie: of a grant with more tasks than were asked for, with a task for a host that has one, or with a malformed one, the
// rest is done.
func TestGrantsThatLie(t *testing.T) {
	d := newDaemon()
	w, err := newWorker(optionsOf(d, after(0)))
	if err != nil {
		t.Fatal(err)
	}
	hold := make(chan struct{})
	w.hands = holding(hold)
	d.grant = queue()
	tasks := []work.Task{task("a", "a.example"), task("b", "a.example"), task("c", "c.example"), task("", "d.example"), task("e", "e.example")}
	d.grant = func(int) (work.Grant, error) {
		return work.Grant{Tasks: tasks, Pause: 1000 * time.Hour, Why: strings.Repeat("x", 10_000)}, nil
	}
	pause, err := w.ask(t.Context(), 4)
	if err != nil || pause != maxPause || len(w.why) > maxWords {
		t.Errorf("%v, pause %v, %d bytes of words", err, pause, len(w.why))
	}
	close(hold)
	w.doing.Wait()
	if got := fmt.Sprint(d.results); got != "map[a:1 c:1]" {
		t.Errorf("results %s, want those of a and c", got)
	}
	if w.dropped != 3 {
		t.Errorf("%d dropped, want b, the one without a number, and e", w.dropped)
	}
}

// TestParseHours: hours are read as those of the nights.
func TestParseHours(t *testing.T) {
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text       string
		open, shut int // hours of the day
	}{{"22:00-06:00", 23, 12}, {"22:00-06:00", 5, 6}, {" 08:30 - 17:00", 9, 8}, {"", 3, -1}} {
		hours, err := ParseHours(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if !open(hours, day.Add(time.Duration(c.open)*time.Hour)) || c.shut >= 0 && open(hours, day.Add(time.Duration(c.shut)*time.Hour)) {
			t.Errorf("%q: closed at %d:00 or open at %d:00", c.text, c.open, c.shut)
		}
	}
	for _, text := range []string{"22:00", "22-6", "25:00-06:00", "06:00-06:00", "a-b", "-"} {
		if _, err := ParseHours(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
		o := optionsOf(newDaemon(), after(0))
		o.Hours = text
		if err := Run(t.Context(), nil, o); err == nil || !strings.Contains(err.Error(), "22:00-06:00") && text != "06:00-06:00" {
			t.Errorf("%q: a worker ran with it: %v", text, err)
		}
	}
}
