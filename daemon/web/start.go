package web

import (
	"net/http"
	"strings"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/web/frame"
)

// startPage leads a new person from nothing to the first model in three steps, which tick themselves.
type startPage struct {
	pairingView
	Extension string            // folder to load
	Address   string            // of the daemon, as the extension's options take it
	Usual     bool              // it is where the extension looks by itself
	Firefox   bool              // the page is shown in Firefox
	Session   *sessions.Session // the newest one, nil when nothing was recorded
	Training  []trainingLine
	Learned   bool // there is a model
}

// usualAddress is where the extension looks for the daemon.
const usualAddress = "127.0.0.1:4774"

// Loaded reports whether the extension is in a browser: it calls when the person agreed to what it records, and only it asks to
// connect.
func (p startPage) Loaded() bool {
	return len(p.Browsers) > 0 || p.Pairing.Called || p.Pairing.Pending != nil || p.Recorded()
}

// Connected reports whether a browser is connected, or was when it recorded something.
func (p startPage) Connected() bool { return len(p.Browsers) > 0 || p.Recorded() }

// Recorded reports whether the first event came.
func (p startPage) Recorded() bool { return p.Session != nil }

// Offers reports whether this page lets a browser ask to connect, so that the person need not press the button first.
func (p startPage) Offers() bool {
	return p.Step(2).Current && !p.Pairing.Open && !p.Pairing.Held
}

// startStep is one step of the page, for its heading.
type startStep struct {
	N             int
	ID, Name      string
	Done, Current bool
}

// Step returns one of the three steps.
func (p startPage) Step(n int) startStep {
	all := []startStep{
		{1, "step-load", "Load the extension", p.Loaded(), false},
		{2, "step-connect", "Connect the browser", p.Connected(), false},
		{3, "step-session", "Start a session", p.Recorded(), false},
	}
	s := all[n-1]
	s.Current = !s.Done && (n == 1 || all[n-2].Done)
	return s
}

func (s *Server) handleStart(w http.ResponseWriter, r *http.Request) error {
	return s.ShowStart(w, r, "/start")
}

// ShowStart shows the three steps at the path back.
func (s *Server) ShowStart(w http.ResponseWriter, r *http.Request, back string) error {
	ctx := r.Context()
	pairing, err := s.pairing(ctx, back)
	if err != nil {
		return err
	}
	p := startPage{pairingView: pairing, Extension: s.Extension, Address: s.Listen, Usual: s.Listen == usualAddress, Firefox: strings.Contains(r.UserAgent(), "Firefox/")}
	sessions, err := sessions.Before(ctx, s.Store.DB, 0, 0, 1)
	if err != nil {
		return err
	}
	if len(sessions) > 0 {
		p.Session = &sessions[0]
	}
	topics, err := overview.Topics(ctx, s.Store.DB)
	if err != nil {
		return err
	}
	for _, t := range topics {
		p.Learned = p.Learned || t.Version > 0
		if line, ok := s.training(t.ID, t.Name); ok {
			p.Training = append(p.Training, line)
		}
	}
	return s.Render(w, r, http.StatusOK, "start", frame.Layout{Title: "Start here", Section: "finds", Pairs: true}, p)
}
