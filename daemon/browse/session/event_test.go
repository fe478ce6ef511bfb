package session

import (
	"bytes"
	"crypto/sha256"
	"reflect"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
)

// withheld is the code with which an event's page load is withheld under a never-record list.
func withheld(e Event, never ...string) protocol.Code {
	code, _ := e.Withheld(protocol.Rules{Never: never})
	return code
}

func TestAdmit(t *testing.T) {
	m := maker(1)
	v := m.Visit("http://joe:canary@ice.test/?access_token=canary&x=1#canary", "Rules", protocol.HowTyped, "")
	v.Requested = "http://ice.test/reset/canaryAB12cd34EF56gh78"
	long := m.Visit("http://ice.test/"+strings.Repeat("a", 4000), "", protocol.HowTyped, "")
	broken := m.Snapshot(v.Page, nil)
	broken.HTML = []byte("no gzip")
	events := []protocol.Event{m.Start("Hockey"), v, long, broken, m.Snapshot(v.Page, []byte("<title>Shown</title><p>"+hockey)),
		m.Snapshot(v.Page, []byte("<input type=PassWord>"))}
	admitted, refused := AdmitAll(events)
	if len(refused) != 2 || refused[0].ID != long.ID || refused[0].Code != protocol.TooLarge || refused[1].ID != broken.ID || refused[1].Code != protocol.BadField {
		t.Errorf("refused %+v", refused)
	}
	if len(admitted) != 4 {
		t.Fatalf("admitted %+v", admitted)
	}
	visit, shows, asks := admitted[1], admitted[2], admitted[3]
	if text := line(t, visit.Event); strings.Contains(text, "canary") || visit.Title != "Rules" || visit.ID != v.ID {
		t.Errorf("admitted %s", text)
	}
	if shows.Shown != (Shown{Title: "Shown", RealText: true}) || withheld(shows) != "" || len(shows.Hash) != 32 {
		t.Errorf("snapshot %+v", shows)
	}
	if withheld(asks) != protocol.PasswordPage || asks.Shown.RealText || bytes.Equal(asks.Hash, shows.Hash) {
		t.Errorf("page that asks for a password: %+v", asks)
	}
	if withheld(visit, "ice.test") != protocol.NeverRecord || withheld(visit, "bank.test") != "" {
		t.Error("the never-record list is not followed")
	}
	again, refused := AdmitAll([]protocol.Event{visit.Event, shows.Event})
	if len(refused) > 0 || !reflect.DeepEqual(again, []Event{visit, shows}) {
		t.Errorf("admitted again: %+v, refused %+v", again, refused)
	}
}

// A snapshot is scrubbed before anything is made of it; one that is clean stays the same bytes. A field for a password counts
// also where its element goes.
func TestAdmitScrubs(t *testing.T) {
	m := maker(1)
	v := m.Visit("http://ice.test/", "Rules", protocol.HowTyped, "")
	clean := m.Snapshot(v.Page, []byte("<title>Shown</title><p>"+hockey+"<a href=/b>b</a>"))
	dirty := m.Snapshot(v.Page, []byte("<title>Shown</title><p>"+hockey+"<a href=/b>b</a><!-- canary --><input value=canary>"))
	asks := m.Snapshot(v.Page, []byte("<div contenteditable><input type=password value=canary></div>"))
	admitted, refused := AdmitAll([]protocol.Event{clean, dirty, asks})
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	if !bytes.Equal(admitted[0].HTML, clean.HTML) {
		t.Error("a clean snapshot was packed anew")
	}
	html, err := admitted[1].Unpack()
	sum := sha256.Sum256(html)
	if err != nil || strings.Contains(string(html), "canary") || !bytes.Equal(sum[:], admitted[1].Hash) || admitted[1].Shown != admitted[0].Shown || admitted[1].ID != dirty.ID {
		t.Errorf("admitted %s with %+v, %v", html, admitted[1].Shown, err)
	}
	if again, _ := AdmitAll([]protocol.Event{admitted[1].Event}); !reflect.DeepEqual(again, admitted[1:2]) {
		t.Errorf("admitted again: %+v", again)
	}
	if withheld(admitted[2]) != protocol.PasswordPage {
		t.Error("the field for a password is not seen")
	}
}

// TestCount checks that Count counts pages as the web graph does.
func TestCount(t *testing.T) {
	visit := func(load, url string, useful bool) Visit { return Visit{Load: load, URL: url, Useful: useful} }
	frame := func(load, parent, kind, url string, realText, useful bool) Visit {
		return Visit{Load: load, Parent: parent, Kind: kind, URL: url, RealText: realText, Useful: useful}
	}
	a, again := visit("a", "http://ice.test/a", true), visit("a2", "http://ice.test/a", true)
	for name, c := range map[string]struct {
		visits        []Visit
		pages, useful int
	}{
		"nothing":                   {nil, 0, 0},
		"visited twice":             {[]Visit{a, again}, 1, 1},
		"frameset":                  {[]Visit{a, frame("f", "a", "frame", "http://ice.test/f", false, false), frame("g", "a", "frame", "http://ice.test/g", false, false)}, 2, 2},
		"iframe with text":          {[]Visit{a, frame("f", "a", "iframe", "http://ice.test/f", true, false)}, 2, 1},
		"iframe without text":       {[]Visit{visit("b", "http://ice.test/b", false), frame("f", "b", "iframe", "http://ice.test/f", false, true)}, 1, 1},
		"iframe of another site":    {[]Visit{a, frame("f", "a", "iframe", "http://ad.test/f", true, false)}, 1, 1},
		"iframe whose page is gone": {[]Visit{frame("f", "a", "iframe", "http://ice.test/f", true, true)}, 0, 0},
	} {
		if pages, useful := Count(c.visits); pages != c.pages || useful != c.useful {
			t.Errorf("%s: %d pages, %d useful; want %d and %d", name, pages, useful, c.pages, c.useful)
		}
	}
}
