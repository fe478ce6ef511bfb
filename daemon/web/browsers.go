package web

import (
	"net/http"
	"strings"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/web/frame"
)

// tell reports a change to the rest of the daemon and to other open pages.
func (s *Server) tell(kind string) { s.Bus.Tell(notify.News{Kind: kind}) }

// handlePairingOpen opens pairing for two minutes.
func (s *Server) handlePairingOpen(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.OpenPairing(pairingTime)
	return frame.SeeOther(w, r, backTo(r, "/settings")+"#pairing")
}

// handlePairingApprove connects the browser whose digits the person compared. The form sends the digits that were on the
// page, so that another browser that asked in between is not approved by mistake.
func (s *Server) handlePairingApprove(w http.ResponseWriter, r *http.Request) error {
	digits := strings.TrimSpace(r.PostFormValue("digits"))
	if err := s.Ingest.Approve(digits); err != nil {
		return frame.BadInput("the request of the browser has expired; connect it again")
	}
	return frame.Done(w, r, backTo(r, "/settings"), "approved")
}

// handlePairingRefuse refuses the browser that asks, and closes pairing.
func (s *Server) handlePairingRefuse(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.Refuse()
	return frame.Done(w, r, backTo(r, "/settings"), "refused")
}

// handleRevoke disconnects a browser; it has to be paired again to return.
func (s *Server) handleRevoke(w http.ResponseWriter, r *http.Request) error {
	if err := s.Ingest.Revoke(r.Context(), r.PostFormValue("client")); err != nil {
		return err
	}
	return frame.Done(w, r, "/settings", "revoked")
}
