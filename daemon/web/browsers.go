package web

import (
	"net/http"
	"strings"

	"nightjar/daemon/notify"
)

// tell lets the rest of the daemon, and other open pages, know of a change.
func (s *Server) tell(kind string) { s.Bus.Tell(notify.News{Kind: kind}) }

// handlePairingOpen lets browsers ask to be connected for two minutes.
func (s *Server) handlePairingOpen(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.OpenPairing(pairingTime)
	http.Redirect(w, r, "/settings#browsers", http.StatusSeeOther)
	return nil
}

// handlePairingApprove connects the browser whose digits the person compared: those that stood on the page, so that
// another browser that asked in between is not approved by mistake.
func (s *Server) handlePairingApprove(w http.ResponseWriter, r *http.Request) error {
	digits := strings.TrimSpace(r.PostFormValue("digits"))
	if err := s.Ingest.Approve(digits); err != nil {
		return badInput{"the browser is no longer asking; connect it again"}
	}
	return done(w, r, "/settings", "approved")
}

// handlePairingRefuse turns down whoever asks and closes pairing.
func (s *Server) handlePairingRefuse(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.Refuse()
	return done(w, r, "/settings", "refused")
}

// handleRevoke ends a browser's connection; it has to be paired anew to come back.
func (s *Server) handleRevoke(w http.ResponseWriter, r *http.Request) error {
	if err := s.Ingest.Revoke(r.Context(), r.PostFormValue("client")); err != nil {
		return err
	}
	return done(w, r, "/settings", "revoked")
}
