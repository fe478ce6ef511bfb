package pages

import (
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/panorama/reader"
)

// The page of a session says of each PDF what is known of its text.
func TestSessionOfPDFs(t *testing.T) {
	f := newFixture(t)
	m := sessiontest.NewMaker(1, f.Now().Add(-time.Hour))
	events := []protocol.Event{m.Start("Owls")}
	want := map[string]string{
		"read": "Its text was read", "plain": "if you mark it Useful", "soon": "Its text will be read soon",
		"login": "The text could not be read: the server wants a login.", "down": "could not be read yet: <b>down</b>. Next attempt:",
	}
	for _, name := range []string{"read", "plain", "soon", "login", "down"} {
		v := m.Visit("http://owls.test/"+name+".pdf", name, protocol.HowTyped, "")
		v.Media = protocol.MediaPDF
		events = append(events, v)
		if name != "plain" {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	admitted, refused := session.AdmitAll(events)
	if in, err := sessions.Ingest(t.Context(), f.Store, admitted); err != nil || len(refused)+len(in.Refused) > 0 {
		t.Fatal(refused, in.Refused, err)
	}
	due, _, err := reader.Readings(t.Context(), f.Store.DB, false, 10)
	if err != nil || len(due) != 4 {
		t.Fatalf("%+v, %v", due, err)
	}
	for _, one := range due {
		var err error
		switch one.Title {
		case "read":
			err = reader.PutReading(t.Context(), f.Store, one, []byte("<title>read</title><p>Owls hunt at night."), false)
		case "login":
			err = reader.FailReading(t.Context(), f.Store.DB, one, "the server wants a login", time.Time{}, true)
		case "down":
			err = reader.FailReading(t.Context(), f.Store.DB, one, "<b>down</b>", f.Now().Add(time.Hour), true)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	says := func() map[string]string {
		said := map[string]string{}
		rows := f.Page(t, "/sessions/"+m.Session+"?draw=1").Find("#pages ~ .table tbody tr")
		for i := range rows.Length() {
			row := rows.Eq(i)
			said[webtest.Text(row.Find("a").First())] = webtest.Text(row.Find("th"))
		}
		return said
	}
	said := says()
	for name, words := range want {
		if !strings.Contains(said[name], words) {
			t.Errorf("%s: %q, want %q", name, said[name], words)
		}
	}
	all, err := f.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.ReadPDFs = true
	if err := f.Store.SaveSettings(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if got := says()["plain"]; !strings.Contains(got, "Its text will be read soon") {
		t.Errorf("with the setting: %q", got)
	}
}
