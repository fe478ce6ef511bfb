package session

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"nightjar/daemon/protocol"
)

func TestAdmit(t *testing.T) {
	m := maker(1)
	v := m.Visit("http://joe:canary@ice.test/?token=canary&x=1#canary", "Rules", protocol.HowTyped, "")
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
	if shows.Shown != (Shown{Title: "Shown", RealText: true}) || shows.Withheld(nil) != "" || len(shows.Hash) != 32 {
		t.Errorf("snapshot %+v", shows)
	}
	if asks.Withheld(nil) != protocol.PasswordPage || asks.Shown.RealText || bytes.Equal(asks.Hash, shows.Hash) {
		t.Errorf("page that asks for a password: %+v", asks)
	}
	if visit.Withheld([]string{"ice.test"}) != protocol.NeverRecord || visit.Withheld([]string{"bank.test"}) != "" {
		t.Error("the never-record list is not followed")
	}
	again, refused := AdmitAll([]protocol.Event{visit.Event, shows.Event})
	if len(refused) > 0 || !reflect.DeepEqual(again, []Event{visit, shows}) {
		t.Errorf("admitted again: %+v, refused %+v", again, refused)
	}
}

func TestReadAdmitted(t *testing.T) {
	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	long := m.Visit("http://ice.test/"+strings.Repeat("a", 4000), "", protocol.HowTyped, "")
	events := []protocol.Event{start, v, m.Snapshot(v.Page, []byte("<title>Ice</title>")), long, v}
	var file bytes.Buffer
	if err := Write(&file, events); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	got, refused, err := ReadAdmitted(&file)
	wantGot, wantRefused := AdmitAll(events[:4])
	if err != nil || !reflect.DeepEqual(got, wantGot) || !reflect.DeepEqual(refused, wantRefused) || len(refused) != 1 {
		t.Errorf("got %+v, refused %+v, %v", got, refused, err)
	}
	if got, refused, err := ReadAdmitted(strings.NewReader(whole[:len(whole)-9])); err == nil || got != nil || refused != nil {
		t.Errorf("cut short: %+v, %+v, %v", got, refused, err)
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
