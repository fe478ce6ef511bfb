package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/morning/orders"
)

// control serves other commands of the same person on the same machine, on a port of its own. Only who proves the secret of the
// run file, which changes at every start, is connected to it (see proving).
type control struct{ app *App }

func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
		return
	}
	answer, err := c.answer(w, r)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		answer = map[string]string{"error": err.Error(), "hint": command.Hint(err)}
	}
	_ = json.NewEncoder(w).Encode(answer) // the other side is gone
}

// decode reads the request of a command, at most limit bytes of JSON.
func decode(w http.ResponseWriter, r *http.Request, limit int64, into any) error {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit)).Decode(into); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	return nil
}

func (c *control) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	if a := c.app; a.Damage != nil && !slices.Contains([]string{"/control/login", "/control/doctor", "/control/restore"}, r.URL.Path) {
		return nil, a.errDamaged()
	}
	if strings.HasPrefix(r.URL.Path, "/control/map/") {
		return c.app.answerMap(w, r)
	}
	if strings.HasPrefix(r.URL.Path, "/control/groups/") {
		return c.app.answerGroups(w, r)
	}
	if strings.HasPrefix(r.URL.Path, "/control/bookmarks/") {
		return c.app.answerBookmarks(w, r)
	}
	switch r.URL.Path {
	case "/control/login":
		return map[string]string{"url": c.app.Web.LoginURL("")}, nil
	case "/control/open":
		return c.app.answerOpen(r.URL.Query().Get("folder"))
	case "/control/import":
		done, err := c.app.imports.Import(r.Context(), r.Body)
		_, _ = io.Copy(io.Discard, r.Body) // who still sends would miss the answer
		return done, err
	case "/control/doctor":
		limit := time.Duration(0)
		if r.URL.Query().Get("full") != "" {
			limit = -1
		}
		return c.app.Examine(r.Context(), limit), nil
	case "/control/read":
		return c.app.Web.Reader().Answer(r.Context(), r.URL.Query().Get("path"), readValues(r.URL.Query().Get("query")))
	case "/control/order":
		var ask orders.Ask
		if err := decode(w, r, 1<<16, &ask); err != nil {
			return nil, err
		}
		return c.app.Desk.Answer(r.Context(), ask)
	case "/control/ontologies":
		return c.app.answerOntologies(w, r)
	case "/control/workers":
		return c.app.answerWorkers(w, r)
	case "/control/restore":
		return c.app.restore(r.Context(), r.URL.Query().Get("file"))
	default:
		return nil, errors.New("unknown request")
	}
}
