package session

import (
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/model/webgraph"
)

// A PDF without text is known by its title and by what links to it say; one with text by its text alone.
func TestPDFWithoutText(t *testing.T) {
	m := sessiontest.NewMaker(1, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	list := m.Visit("http://ice.test/", "Papers", protocol.HowTyped, "")
	pdf := func(url, title, requested string) protocol.Event {
		e := m.Visit(url, title, protocol.HowLink, list.Page)
		e.Media, e.Requested = protocol.MediaPDF, requested
		return e
	}
	owls, read, again, lone := pdf("http://ice.test/owls.pdf", "Owls", "http://ice.test/get?id=1"), pdf("http://ice.test/read.pdf", "Read", ""),
		pdf("http://ice.test/read.pdf", "Read", ""), pdf("http://ice.test/lone.pdf", "", "")
	events := []protocol.Event{m.Start("Birds"), list,
		m.Snapshot(list.Page, []byte(`<a href=owls.pdf>A paper about owls</a><a href=/get?id=1>Download it</a><a href=read.pdf>canary</a>`)),
		owls, read, m.Snapshot(read.Page, []byte("<title>Read</title><main><p>The text of the document.</p></main>")), again, lone}
	sessions, err := Fold(events)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	g := webgraph.Build(sessions[0].Loads())
	got := map[string]string{}
	for _, p := range g.Pages {
		got[p.URL] = p.Text
	}
	for url, want := range map[string]string{
		owls.URL: "Owls\nA paper about owls\nDownload it", read.URL: "Read\nThe text of the document.", lone.URL: "",
	} {
		if text, ok := got[url]; !ok || text != want {
			t.Errorf("%s has the text %q, want %q", url, text, want)
		}
	}
}
