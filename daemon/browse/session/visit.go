package session

import (
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/model/webgraph"
)

// Visit is one page load.
type Visit struct {
	Load      string
	URL       string // canonical; "" if it cannot be canonicalized
	Requested string // canonical; the requested address if it differs from URL
	Media     string // protocol.MediaPDF or MediaText; "" for HTML
	Title     string // of the last snapshot that has one, or else the browser's
	How       string // protocol.HowTyped …; "" for a frame
	From      string // the page load before it
	Parent    string // the page load that contains this frame
	Kind      string // protocol.KindFrame or KindIframe for a frame
	Seq       int64  // orders the visits of the session
	RealText  bool   // of the last snapshot; see webgraph.RealText
	Useful    bool   // the page is marked Useful
	NotUseful bool   // the last mark of the page says Not useful
	Milestone string // the name that the person gave to the page last in the session, or ""

	marked    bool // something that was said of the page in this session counts
	secret    bool // its address contains a secret
	snapshots []protocol.Event
}

// VisitOf returns the page load that events in order of seq are about: the first visit or frame among them, with what
// the snapshots show. It returns nil when no event says which page was loaded.
func VisitOf(events []Event) *Visit {
	var v *Visit
	for _, e := range events {
		if v == nil && brings(e.Event) {
			v = newVisit(e.Event)
		}
	}
	for _, e := range events {
		if v != nil && e.Type == protocol.Snapshot {
			v.show(e.Shown)
		}
	}
	return v
}

// brings reports whether an event says which page was loaded. The stripped events of a withheld load do not.
func brings(e protocol.Event) bool {
	return (e.Type == protocol.Visit || e.Type == protocol.Frame) && e.URL != ""
}

// newVisit returns the page load of a visit or frame event.
func newVisit(e protocol.Event) *Visit {
	v := &Visit{Load: e.Page, Title: e.Title, Media: e.Media, How: e.How, From: e.From, Parent: e.Parent, Kind: e.Kind, Seq: e.Seq, secret: weburl.Secret(e.URL)}
	a := Event{Event: e}
	a.redact()
	if url, err := weburl.Canonical(a.URL); err == nil {
		v.URL = url
	}
	if a.Requested != "" { // an invalid alias is dropped; the visit stays
		if url, err := weburl.Canonical(a.Requested); err == nil && url != v.URL {
			v.Requested = url
		}
	}
	return v
}

// show updates the visit with its next snapshot.
func (v *Visit) show(s Shown) {
	if s.Title != "" {
		v.Title = s.Title
	}
	v.RealText = s.RealText
}

// Count counts the pages of a session's visits in the web graph, and those marked Useful. The visits may be in any
// order. The graph may turn out smaller, since only the texts show which pages are variants of one.
func Count(visits []Visit) (pages, useful int) {
	loads := make([]webgraph.Load, len(visits))
	for i, v := range visits {
		loads[i] = v.load()
		loads[i].RealText = v.RealText
	}
	g := webgraph.Build(loads)
	for _, p := range g.Pages {
		if p.Target {
			useful++
		}
	}
	return len(g.Pages), useful
}

// load returns the visit in the form of the web graph, without what its snapshots show.
func (v *Visit) load() webgraph.Load {
	l := webgraph.Load{ID: v.Load, URL: v.URL, Site: weburl.Site(v.URL), Title: v.Title, Parent: v.Parent, Kind: v.Kind, Target: v.Useful}
	switch v.How {
	case protocol.HowLink, protocol.HowForm, protocol.HowNewTab:
		l.From = v.From
	}
	if v.Requested != "" {
		l.Aliases = []string{v.Requested}
	}
	return l
}
