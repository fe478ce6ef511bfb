package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"nightjar/daemon/store"
)

// identityKey is where the store keeps the dashboard's host name.
const identityKey = "dashboard.host"

var identityForm = regexp.MustCompile(`^nightjar-[0-9a-f]{32}\.localhost$`)

// identity reads the dashboard's host name, making one the first time: 128 random bits, so that no other server on
// this machine is ever asked under it and its cookie stays here, although cookies ignore ports.
func identity(ctx context.Context, st *store.Store) (string, error) {
	var name string
	if ok, err := st.Setting(ctx, identityKey, &name); err != nil {
		return "", err
	} else if ok && identityForm.MatchString(name) {
		return name, nil
	}
	raw := make([]byte, 16)
	rand.Read(raw) // never fails
	name = "nightjar-" + hex.EncodeToString(raw) + ".localhost"
	return name, st.SetSetting(ctx, identityKey, name)
}

// policy is the content security policy of every answer.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxBody is the size in bytes of the largest form that is read.
const maxBody = 1 << 20

// gate is the first thing that every request meets: the exact host decides what is served at all, so that a name
// that was rebound to this address gets nothing. Only then do headers, cross-site checks and routes follow.
func (s *Server) gate(own http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // not no-referrer: browsers would send "Origin: null" with our own forms
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()")
		h.Set("Cache-Control", "no-store")
		switch {
		case !strings.HasPrefix(r.RequestURI, "/"): // an absolute target could disagree with the Host header
			refuseHost(w)
		case s.local[r.Host]:
			handleElsewhere(w, r)
		case r.Host != s.host:
			refuseHost(w)
		case !s.sameOrigin(r):
			s.fail(w, r, errCrossSite)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			own.ServeHTTP(w, r)
		}
	})
}

func refuseHost(w http.ResponseWriter) {
	http.Error(w, "Nightjar does not answer under this name.", http.StatusMisdirectedRequest)
}

// sameOrigin reports whether r may have been made by the dashboard's own pages. A changing request must carry our
// Origin. A reading one may come without any, but when the browser says that another site asked, only a person
// following a link to a page is let through (and a strict cookie does not come along even then).
func (s *Server) sameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return r.Header.Get("Origin") == "http://"+s.host && (site == "" || site == "same-origin")
	}
	if site == "" || site == "same-origin" || site == "none" {
		return true
	}
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// handleElsewhere answers under 127.0.0.1 and localhost, where there is no dashboard. It does not name the
// dashboard's host: any page may ask here.
func handleElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path != "/" {
		w.WriteHeader(http.StatusNotFound)
	}
	fmt.Fprint(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Nightjar</title>`+
		`<meta name="viewport" content="width=device-width"><h1>Nightjar is running</h1>`+
		`<p>To open the dashboard, run <code>nightjar open</code> (or <code>go run ./daemon open</code>) `+
		`in a terminal, or choose “Open the dashboard” in the extension.</p>`)
}
