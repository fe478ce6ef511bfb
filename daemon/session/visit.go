package session

import (
	"nightjar/crawler/weburl"
	"nightjar/daemon/protocol"
	"nightjar/model/webgraph"
)

// Visit is one page load.
type Visit struct {
	Load      string
	URL       string // canonical, "" for an address that cannot be one of a page
	Requested string // canonical, the address asked for when it led to URL
	Title     string // of the last snapshot that has one, otherwise as the browser said
	How       string // protocol.HowTyped …; "" for a frame
	From      string // load it came from
	Parent    string // load that holds this frame
	Kind      string // protocol.KindFrame or KindIframe for a frame
	Seq       int64  // its place in the session
	RealText  bool   // the last snapshot holds real text; see webgraph.RealText
	Useful    bool   // the page is marked so
	Labels    []string

	secret    bool // its address carries a secret
	snapshots []protocol.Event
}

// VisitOf is the page load that events are about, which are in order of seq: the first visit or frame among them with
// what the snapshots show. It is nil when the events do not say which page was loaded.
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

// brings reports whether an event says which page was loaded. One of a load that is withheld does not.
func brings(e protocol.Event) bool {
	return (e.Type == protocol.Visit || e.Type == protocol.Frame) && e.URL != ""
}

// newVisit is the load that a visit or frame brings.
func newVisit(e protocol.Event) *Visit {
	v := &Visit{Load: e.Page, Title: e.Title, How: e.How, From: e.From, Parent: e.Parent, Kind: e.Kind, Seq: e.Seq, secret: weburl.Secret(e.URL)}
	a := Event{Event: e}
	a.redact()
	if url, err := weburl.Canonical(a.URL); err == nil {
		v.URL = url
	}
	if a.Requested != "" { // an alias that is no good address is none; the visit is good all the same
		if url, err := weburl.Canonical(a.Requested); err == nil && url != v.URL {
			v.Requested = url
		}
	}
	return v
}

// show notes what the next snapshot shows.
func (v *Visit) show(s Shown) {
	if s.Title != "" {
		v.Title = s.Title
	}
	v.RealText = s.RealText
}

// Marked says what the marks on a page's loads, in order of seq, come to: the last one counts.
func Marked[T ~string](marks []T) (useful bool) {
	return len(marks) > 0 && protocol.Type(marks[len(marks)-1]) == protocol.Useful
}

// Count counts the pages that the visits of a session, in any order, bring to the web graph, and those of them that are
// marked Useful.
// Whether pages call themselves variants of one another is not looked at, which takes their texts: the graph may turn out
// smaller.
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

// load is the visit as the web graph takes it, without what its snapshots show.
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
