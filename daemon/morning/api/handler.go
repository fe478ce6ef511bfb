package api

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

// Document is the description of the API by OpenAPI 3.1.
//
//go:embed openapi.json
var Document []byte

// Errors of requests.
var (
	ErrNoPath   = errors.New("there is nothing at this address")
	errNoToken  = errors.New("no token was given")
	errMethod   = errors.New("the API only reads: use GET")
	errScope    = errors.New("this token is for another purpose")
	errFromPage = errors.New("a web page sent the request")
)

// Handler serves the API and the feeds. It does not check the Host of a request; the server in front of it does.
type Handler struct {
	Reader *Reader
	Tokens *token.Keeper
	Log    *slog.Logger

	// Identity is a name of this installation, which the ids of feeds and entries are derived from.
	Identity string
}

// Serves reports whether a path belongs to the handler.
func Serves(path string) bool {
	return strings.HasPrefix(path, Base+"/") || strings.HasPrefix(path, feedBase)
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h.serve(w, r); err != nil {
		h.fail(w, r, err)
	}
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return errMethod
	}
	// Programs do not send this header. A page on another site could otherwise use up the limit on wrong tokens.
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "none" && site != "same-origin" {
		return errFromPage
	}
	path, ok := strings.CutPrefix(r.URL.Path, Base)
	if !ok {
		return h.serveFeed(w, r)
	}
	if path == "/openapi.json" {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(Document) // fails when the client is gone
		return nil
	}
	if err := h.admit(r); err != nil {
		return err
	}
	answer, err := h.Reader.Answer(r.Context(), path, r.URL.Query())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, "application/json", answer)
}

// admit checks the token of a request to the API.
func (h *Handler) admit(r *http.Request) error {
	scheme, text, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return errNoToken
	}
	t, err := h.Tokens.Check(r.Context(), strings.TrimSpace(text))
	if err != nil {
		return err
	}
	if t.Scope != token.ScopeRead {
		return errScope
	}
	return nil
}

func writeJSON(w http.ResponseWriter, status int, kind string, answer any) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // fails when the client is gone
	return nil
}

// Problem is the body of an answer that is an error (RFC 9457).
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// problems maps errors to answers. Any other error is logged under an id, since its text may be private.
var problems = []struct {
	err    error
	status int
	detail string
}{
	{store.ErrNotFound, http.StatusNotFound, "This does not exist. It may have been deleted."},
	{ErrNoPath, http.StatusNotFound, "There is nothing at this address. " + Base + "/openapi.json lists the addresses."},
	{errMethod, http.StatusMethodNotAllowed, "The API only reads: use GET."},
	{errNoToken, http.StatusUnauthorized, "Send the header “Authorization: Bearer TOKEN”. Make a token in Settings, under Programs."},
	{token.ErrUnknown, http.StatusUnauthorized, "There is no such token, or it was revoked. Make a new one in Settings, under Programs."},
	{token.ErrTooMany, http.StatusTooManyRequests, "There were too many wrong tokens. Wait a minute, then send the right one."},
	{errScope, http.StatusForbidden, "A token of a feed reads its feed only, and a token of the API reads no feeds. Make the other kind in Settings, under Programs."},
	{errFromPage, http.StatusForbidden, "Pages of the web may not read this."},
}

// fail answers with an error.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // nobody is listening any more
	}
	p := h.explain(r, err)
	switch p.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="Nightjar"`)
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "60")
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", "GET, HEAD")
	}
	if err := writeJSON(w, p.Status, "application/problem+json", p); err != nil {
		h.Log.Error("write a problem", "err", err)
	}
}

func (h *Handler) explain(r *http.Request, err error) Problem {
	if bad, ok := errors.AsType[BadRequest](err); ok {
		return problem(http.StatusBadRequest, bad.Problem)
	}
	for _, one := range problems {
		if errors.Is(err, one.err) {
			return problem(one.status, one.detail)
		}
	}
	id := make([]byte, 4)
	rand.Read(id) // never fails
	h.Log.Error("request of a program failed", "id", hex.EncodeToString(id), "method", r.Method, "err", err)
	return problem(http.StatusInternalServerError, "Nightjar could not do this. The daemon's log says why, under "+hex.EncodeToString(id)+".")
}

// problem describes an error by its status alone, which RFC 9457 4.2.1 calls about:blank.
func problem(status int, detail string) Problem {
	return Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
}
