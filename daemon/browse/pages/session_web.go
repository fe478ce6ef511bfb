package pages

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/chart"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
	"nightjar/model/webgraph"
)

// keptForm is the version of keptWeb and of how it is made. What an older version kept is made again.
const keptForm = "2"

// keptWeb is what the page of a session shows of its web graph. Reading every page of a session and placing it takes up to
// some seconds, so it is done once for each state of the session's events and kept in the store.
type keptWeb struct {
	Pages []keptPage
	Links [][2]int
	Moves []chart.Move
	Parts []keptPart // one picture each
	Drawn time.Time  // when

	before bool // events were recorded since
}

// keptPart is a part of the web graph with its layout.
type keptPart struct {
	chart.WebPart
	Layout chart.WebLayout
}

// keptPage is a page of a session.
type keptPage struct {
	URL, Title string
	Target     bool     `json:",omitempty"`
	Visits     int      // page loads
	Also       []string `json:",omitempty"` // other addresses under which it was loaded
}

// mostAtOnce is the number of pages of a session from which on its web graph takes so long to draw that the page does not wait.
const mostAtOnce = 100

// drawnEvery is how old the web graph of a large session must be before it is drawn again while the session is recorded.
const drawnEvery = time.Minute

// webOf returns the web graph of a session with its layout, as it was kept or made now. With make false it makes none that
// would take long, and returns nil. A large session that is still recorded changes all the time: what was drawn of it before
// is returned until make is true and it is older than drawnEvery.
func (s *server) webOf(ctx context.Context, one sessions.Session, make bool) (*keptWeb, error) {
	w, of, err := s.webShown(ctx, one, make)
	if w != nil || err != nil || !make && one.Pages > mostAtOnce {
		return w, err
	}
	if one.Pages > mostAtOnce { // two that ask at the same time wait for one drawing
		s.drawing.Lock()
		defer s.drawing.Unlock()
		if w, of, err = s.webShown(ctx, one, make); w != nil || err != nil {
			return w, err
		}
	}
	events, err := sessions.Steps(ctx, s.Store.DB, one.ID)
	if err != nil {
		return nil, err
	}
	w, err = readWeb(events, func(e protocol.Event) ([]byte, error) { return sessions.Snapshot(ctx, s.Store.DB, e.ID) })
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", one.UUID, err)
	}
	w.Drawn = s.Now()
	body, err := frame.Pack(w)
	if err == nil {
		err = keepPicture(ctx, s.Store.DB, one.ID, of, body)
	}
	if err != nil { // the page can be shown all the same
		s.Log.Warn("the picture of a session was not kept", "err", err)
	}
	return w, nil
}

// webShown returns the web graph that is shown of a session without drawing it, nil for none, and the state of the session.
func (s *server) webShown(ctx context.Context, one sessions.Session, make bool) (w *keptWeb, of string, err error) {
	w, of, err = s.webKept(ctx, one)
	if w != nil || err != nil || one.Pages <= mostAtOnce || one.Status != sessions.Recording {
		return w, of, err
	}
	was, body, err := lastPicture(ctx, s.Store.DB, one.ID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, of, nil
	}
	w = new(keptWeb)
	if err != nil || !strings.HasPrefix(was, keptForm+":") || frame.Unpack(body, w) != nil || w.Drawn.IsZero() ||
		make && s.Now().Sub(w.Drawn) >= drawnEvery {
		return nil, of, err
	}
	w.before = true
	return w, of, nil
}

// webKept returns the web graph that was kept of a session, nil when none was, and the state of the session.
func (s *server) webKept(ctx context.Context, one sessions.Session) (w *keptWeb, of string, err error) {
	state, err := eventsState(ctx, s.Store.DB, one.ID)
	if err != nil {
		return nil, "", err
	}
	of = keptForm + ":" + state
	body, err := storedPicture(ctx, s.Store.DB, one.ID, of)
	if errors.Is(err, store.ErrNotFound) {
		return nil, of, nil
	}
	if w = new(keptWeb); err == nil && frame.Unpack(body, w) != nil {
		w = nil // it is made again
	}
	return w, of, err
}

// readWeb builds the web graph of a session as the trainer does, and lays it out. open returns the HTML of a snapshot; only one
// is held at a time.
func readWeb(events []protocol.Event, open func(protocol.Event) ([]byte, error)) (*keptWeb, error) {
	all, err := session.Fold(events)
	if err != nil {
		return nil, err
	}
	loads, err := session.Outline(all, open)
	if err != nil {
		return nil, err
	}
	var made []session.Move
	address := map[string]string{} // of page loads
	for _, s := range all {
		made = append(made, s.Moves...)
		for _, v := range s.Visits {
			address[v.Load] = v.URL
		}
	}
	g := webgraph.Build(loads)
	w := &keptWeb{Links: g.Edges, Moves: movesOf(made, g)}
	for _, n := range g.Pages {
		page := keptPage{URL: n.URL, Title: frame.TitleOr(n.Title, n.URL), Target: n.Target, Visits: len(n.Loads)}
		for _, load := range n.Loads {
			if also := address[load]; also != n.URL {
				page.Also = append(page.Also, also)
			}
		}
		w.Pages = append(w.Pages, page)
	}
	w.layOut()
	return w, nil
}

// layOut places the pages, part by part.
func (w *keptWeb) layOut() {
	w.Parts = nil
	for _, part := range chart.WebParts(len(w.Pages), w.Moves) {
		w.Parts = append(w.Parts, keptPart{part, chart.LayOutWeb(part.Cut(w.drawn(), w.Links, w.Moves))})
	}
}

// partOf returns the number of the part that holds a step, counted from 1; of no step, the part asked for, or the first.
func (w *keptWeb) partOf(step, part int) int {
	for i, p := range w.Parts {
		if step > p.From && step <= p.To {
			return i
		}
	}
	return min(max(part, 1), len(w.Parts)) - 1
}

// drawn returns what the picture shows of the pages.
func (w *keptWeb) drawn() []chart.WebPage {
	var all []chart.WebPage
	for _, p := range w.Pages {
		all = append(all, chart.WebPage{Title: p.Title, Target: p.Target, Visits: p.Visits})
	}
	return all
}

// movesOf lists the moves from page to page in order, without those by Forward. A frameset counts as its first frame.
func movesOf(made []session.Move, g *webgraph.Graph) []chart.Move {
	var moves []chart.Move
	for _, m := range made {
		from, to := g.ByLoad[m.From], g.ByLoad[m.To]
		if m.Type != protocol.Forward && len(from) > 0 && len(to) > 0 && from[0] != to[0] {
			moves = append(moves, chart.Move{From: from[0], To: to[0], Back: m.Type == protocol.Back})
		}
	}
	return moves
}

// eventsState identifies the events of a session and of those recorded together with it: it changes when one is added, changed
// or deleted. It reads indexes only.
func eventsState(ctx context.Context, d *db.DB, sessionID int64) (string, error) {
	r := d.Reads(ctx)
	state := db.Value[string](r, `SELECT count(*) || '.' || coalesce(max(rowid), 0) FROM events WHERE session_id IN (SELECT value FROM json_each(?))`,
		db.JSONList(sessions.Together(r, sessionID)))
	return state, db.Wrap(r.Err, "state of session %d", sessionID)
}

// storedPicture returns what was kept of a session's picture, or ErrNotFound when nothing was kept of this state.
func storedPicture(ctx context.Context, d *db.DB, sessionID int64, of string) (body []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT body FROM pictures WHERE session_id = ? AND of = ?`, sessionID, of).Scan(&body)
	return db.Found(body, err)
}

// lastPicture returns the picture that was kept of a session last, whatever state it is of, or ErrNotFound.
func lastPicture(ctx context.Context, d *db.DB, sessionID int64) (of string, body []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT of, body FROM pictures WHERE session_id = ?`, sessionID).Scan(&of, &body)
	body, err = db.Found(body, err)
	return of, body, err
}

// keepPicture keeps a session's picture in place of an earlier one. It keeps nothing for a session that was deleted
// meanwhile. An erased or changed event of the session deletes the picture (a trigger).
func keepPicture(ctx context.Context, d *db.DB, sessionID int64, of string, body []byte) error {
	return d.Exec(ctx, `INSERT INTO pictures (session_id, of, body) SELECT id, ?2, ?3 FROM sessions WHERE id = ?1
		ON CONFLICT (session_id) DO UPDATE SET of = excluded.of, body = excluded.body`, sessionID, of, body)
}
