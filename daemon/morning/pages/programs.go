package pages

import (
	"context"
	"errors"
	"net/http"

	"nightjar/daemon/db"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// apiPage describes how programs read.
type apiPage struct {
	Base  string // address of the API
	Paths []api.Described
}

func (s *server) handleAPI(w http.ResponseWriter, r *http.Request) error {
	paths, err := api.Describe()
	if err != nil {
		return err
	}
	p := apiPage{Base: "http://" + s.Listen + api.Base, Paths: paths}
	return s.Render(w, r, http.StatusOK, "api", frame.Layout{Title: "How programs read", Section: "settings"}, p)
}

// orderLine is what a program asked for, as the page shows it.
type orderLine struct{ orders.Order }

// Waits reports whether the order waits for an answer.
func (o orderLine) Waits() bool { return o.State == orders.Waiting }

// Marked is the mark in words.
func (o orderLine) Marked() string {
	if o.Mark == store.MarkUseful {
		return "Useful"
	}
	return "Not useful"
}

// Says is the state in words.
func (o orderLine) Says() string {
	switch o.State {
	case orders.Waiting:
		return "It waits for your yes. Nothing is fetched before."
	case orders.Declined:
		return "You said no."
	case orders.Withdrawn:
		return "It was withdrawn."
	case orders.Failed:
		return frame.Sentence("could not start: " + o.Problem)
	}
	switch {
	case o.Search() && o.Joined:
		return "The topic had a crawl already."
	case o.Search():
		return "Started."
	case o.ActionID == 0:
		return "Undone."
	}
	return "Done."
}

// maxOrders is how many orders the page lists.
const maxOrders = 200

func (s *server) handlePrograms(w http.ResponseWriter, r *http.Request) error {
	all, err := orders.List(r.Context(), s.Store.DB, maxOrders)
	if err != nil {
		return err
	}
	lines := db.ListOf(all, func(o orders.Order) orderLine { return orderLine{o} })
	return s.Render(w, r, http.StatusOK, "programs", frame.Layout{Title: "What programs asked for", Section: "settings"}, lines)
}

// handleOrderYes starts a search that a program asked for, and shows its crawl.
func (s *server) handleOrderYes(w http.ResponseWriter, r *http.Request, id int64) error {
	if err := s.Desk.Decide(r.Context(), id, true); err != nil {
		return err
	}
	o, err := orders.ByID(r.Context(), s.Store.DB, id)
	if err != nil || o.State != orders.Accepted {
		return errors.Join(err, frame.Done(w, r, "/programs", ""))
	}
	return frame.Done(w, r, "/programs", "order-accepted")
}

func decline(k *orders.Desk, ctx context.Context, id int64) error { return k.Decide(ctx, id, false) }

func undoMark(k *orders.Desk, ctx context.Context, id int64) error { return k.Undo(ctx, id) }
