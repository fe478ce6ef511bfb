package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"nightjar/daemon/web/frame"
)

// dismissedKey is the setting with the notices that the person closed.
const dismissedKey = "dashboard.dismissed"

// maxDismissed is how many are remembered; the oldest are forgotten first.
const maxDismissed = 50

// noticeKey identifies a notice by its text, so that a new notice about the same thing is shown again.
func noticeKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// dismissed returns the notices that the person closed.
func (s *Server) dismissed(ctx context.Context) (keys []string, err error) {
	_, err = s.Store.Setting(ctx, dismissedKey, &keys)
	return keys, err
}

// handleDismiss closes a notice for good.
func (s *Server) handleDismiss(w http.ResponseWriter, r *http.Request) error {
	key := r.PostFormValue("notice")
	if raw, err := hex.DecodeString(key); err != nil || len(raw) != 8 {
		return frame.BadInput("there is no such notice")
	}
	keys, err := s.dismissed(r.Context())
	if err != nil {
		return err
	}
	if !slices.Contains(keys, key) {
		keys = append(keys, key)
		if err := s.Store.SetSetting(r.Context(), dismissedKey, keys[max(0, len(keys)-maxDismissed):]); err != nil {
			return err
		}
	}
	return frame.SeeOther(w, r, frame.BackTo(r, "/"))
}
