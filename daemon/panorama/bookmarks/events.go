package bookmarks

import (
	"math/rand/v2"
	"time"

	"nightjar/crawler/texts"
	"nightjar/daemon/browse/protocol"
)

// Events writes a session of pages in the format of session files. The person opened those that no other page of the session links
// to, followed the links to the others, marked the useful ones, and submitted the session. begun is when the pages were asked for.
// It returns the id of the session, too.
func Events(topic string, pages []*Page, begun time.Time, rng *rand.Rand) (events []protocol.Event, session string) {
	s := protocol.NewSequence(protocol.RandomUUID(rng), begun, rng)
	emit := func(e protocol.Event, at time.Time) {
		events = append(events, s.Stamp(e, max(0, at.Sub(s.Now))))
	}
	emit(protocol.Event{Type: protocol.SessionStart, Topic: topic}, begun)
	at := map[string]*Page{}
	for _, p := range pages {
		at[p.URL] = p
		if p.Requested != "" {
			at[p.Requested] = p
		}
	}
	shown := map[*Page]bool{}
	var show func(p *Page, from string)
	show = func(p *Page, from string) {
		shown[p] = true
		load := s.UUID()
		e := protocol.Event{Type: protocol.Visit, Page: load, URL: p.URL, Requested: p.Requested, Title: texts.First(p.Title, protocol.MaxTitle), How: protocol.HowBookmark}
		if from != "" {
			e.How, e.From = protocol.HowLink, from
		}
		if p.HTML == nil {
			e.Media = protocol.MediaPDF
		}
		emit(e, p.At)
		if p.HTML != nil {
			emit(protocol.Event{Type: protocol.Snapshot, Page: load, HTML: p.HTML, Truncated: p.Truncated}, p.At)
		}
		if p.Useful {
			emit(protocol.Event{Type: protocol.Useful, Page: load}, p.At)
		}
		for _, url := range p.links {
			if next := at[url]; next != nil && !shown[next] {
				show(next, load)
			}
		}
	}
	for _, p := range pages {
		if !shown[p] {
			show(p, "")
		}
	}
	emit(protocol.Event{Type: protocol.Submit}, s.Now)
	return events, s.Session
}
