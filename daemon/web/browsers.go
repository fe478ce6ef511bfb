package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// pairingTime is how long pairing stays open.
const pairingTime = 2 * time.Minute

// pairingView is what a page shows of pairing.
type pairingView struct {
	Back     string // path of the page
	Browsers []store.BrowserView
	Pairing  ingest.PairingStatus
}

func (s *Server) pairing(ctx context.Context, back string) (pairingView, error) {
	browsers, err := s.Store.BrowserViews(ctx)
	return pairingView{back, browsers, s.Ingest.Pairing()}, err
}

// handlePairingOpen opens pairing because the person pressed the button.
func (s *Server) handlePairingOpen(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.OpenPairing(pairingTime)
	return frame.SeeOther(w, r, frame.BackTo(r, "/settings")+"#pairing")
}

// handlePairingPage opens pairing because the first page shows that step, and closes it when the page is left. Nothing is connected
// before the person compared the digits.
func (s *Server) handlePairingPage(w http.ResponseWriter, r *http.Request) error {
	if r.PostFormValue("shown") == "yes" {
		s.Ingest.OfferPairing(pairingTime)
	} else {
		s.Ingest.WithdrawPairing()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// handlePairingApprove connects the browser whose digits the person compared. The form sends the digits that were on the
// page, so that another browser that asked in between is not approved by mistake.
func (s *Server) handlePairingApprove(w http.ResponseWriter, r *http.Request) error {
	digits := strings.TrimSpace(r.PostFormValue("digits"))
	if err := s.Ingest.Approve(digits); err != nil {
		return frame.BadInput("the request of the browser has expired; connect it again")
	}
	return frame.Done(w, r, frame.BackTo(r, "/settings"), "approved")
}

// handlePairingRefuse refuses the browser that asks, and closes pairing.
func (s *Server) handlePairingRefuse(w http.ResponseWriter, r *http.Request) error {
	s.Ingest.Refuse()
	return frame.Done(w, r, frame.BackTo(r, "/settings"), "refused")
}

// handleRevoke disconnects a browser; it has to be paired again to return.
func (s *Server) handleRevoke(w http.ResponseWriter, r *http.Request) error {
	if err := s.Ingest.Revoke(r.Context(), r.PostFormValue("client")); err != nil {
		return err
	}
	return frame.Done(w, r, "/settings", "revoked")
}
