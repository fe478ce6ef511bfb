package ingest

import (
	"context"
	"strings"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
)

const (
	maxOpen    = 5  // open sessions of other browsers that a browser offers to join
	firstPages = 50 // visits of a session among which the search that it began with is looked for
)

// open lists the sessions of other browsers that this one may join.
func (s *stream) open(ctx context.Context) ([]protocol.OpenSession, error) {
	all, err := sessions.OpenElsewhere(ctx, s.server.store.DB, s.client, maxOpen)
	if err != nil {
		return nil, err
	}
	var open []protocol.OpenSession
	for _, one := range all {
		names := one.Browsers()
		if names == nil {
			names = []string{one.Browser}
		}
		open = append(open, protocol.OpenSession{ID: one.Key(), Topic: one.Topic, Browser: strings.Join(names, ", "), Pages: one.Pages, Useful: one.Useful})
	}
	return open, nil
}

// whole adds to the state of a session who records it together with this browser, and how it began.
func (s *stream) whole(ctx context.Context, newest sessions.Session, st *protocol.SessionState) error {
	for _, p := range newest.Others() {
		name := p.Browser
		if name == "" {
			name = "another browser"
		}
		st.Browsers = append(st.Browsers, name)
	}
	st.Close = newest.Asked
	visits, err := sessions.Began(ctx, s.server.store.DB, newest.First(), firstPages)
	if search, ok := session.Began(visits); ok {
		st.Began = &protocol.Search{Query: search.Query, Engine: search.Engine}
	}
	return err
}
