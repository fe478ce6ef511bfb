package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"

	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// identityKey is the setting that holds the dashboard's host name.
const identityKey = "dashboard.host"

var identityForm = regexp.MustCompile(`^nightjar-[0-9a-f]{32}\.localhost$`)

// identity returns the dashboard's host name, made the first time. It has 128 random bits: cookies ignore ports, but no other
// server on this machine has this name, so none gets the cookie.
func identity(ctx context.Context, st *store.Store) (string, error) {
	var name string
	if ok, err := st.Setting(ctx, identityKey, &name); err != nil {
		return "", err
	} else if ok && identityForm.MatchString(name) {
		return name, nil
	}
	name = newIdentity()
	err := st.SetSetting(ctx, identityKey, name)
	if trouble.Of(err) != "" {
		err = nil // the name is good until the daemon ends
	}
	return name, err
}

func newIdentity() string {
	raw := make([]byte, 16)
	rand.Read(raw) // never fails
	return "nightjar-" + hex.EncodeToString(raw) + ".localhost"
}

// policy is the content security policy of every response.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxBody is the maximal size of a form in bytes.
const maxBody = 1 << 20

// gate handles every request first. The exact host decides what is served, so that a name that was rebound to this address
// gets nothing. Cross-site checks and routes follow.
func (s *Server) gate(own http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, ours := s.local.Has(r.Host), r.Host == s.host
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
		case (local || ours) && api.Serves(r.URL.Path) && s.programs == nil:
			http.Error(w, "The database is damaged. Open the dashboard to see what can be done.", http.StatusServiceUnavailable)
		case (local || ours) && api.Serves(r.URL.Path): // a token is the only key; readers may not resolve our own name
			s.programs.ServeHTTP(w, r)
		case local:
			s.handleElsewhere(w, r)
		case !ours:
			refuseHost(w)
		case !s.sameOrigin(r) && !fromLoginFile(r):
			s.Fail(w, r, frame.ErrCrossSite)
		default:
			limit, isUpload := s.Uploads[r.URL.Path]
			if isUpload {
				r.Body = newUpload(w, r.Body)
				defer machine.HoldMemory()()
			} else {
				limit = maxBody
			}
			r.Body = http.MaxBytesReader(w, r.Body, limit)
			own.ServeHTTP(w, r)
		}
	})
}

// Named reports whether host, as in a Host header, is a name of this server. It does not tell what is served under that name.
func (s *Server) Named(host string) bool {
	return s.local.Has(host) || host == s.host
}

func refuseHost(w http.ResponseWriter) {
	http.Error(w, "Nightjar does not answer under this name.", http.StatusMisdirectedRequest)
}

// sameOrigin reports whether r may come from the dashboard's pages. A request that changes something must have our Origin. A
// request that reads may lack one; if the browser says that it comes from another site, it must be a person following a
// link to a page (and even then the browser does not send the strict cookie).
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

// handleElsewhere responds under 127.0.0.1 and localhost, where there is no dashboard. It does not name the dashboard's host,
// because any page may send requests here.
func (s *Server) handleElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path != "/" {
		w.WriteHeader(http.StatusNotFound)
	}
	fmt.Fprint(w, `<!doctype html><html lang="en"><meta charset="utf-8"><title>Nightjar</title>`+
		`<meta name="viewport" content="width=device-width"><h1>Nightjar is running</h1>`+
		`<p>To open the dashboard, run <code>`+html.EscapeString(terminal.On(s.DataDir, "open"))+`</code> `+
		`in a terminal, or choose “Open the dashboard” in the extension.</p>`)
}
