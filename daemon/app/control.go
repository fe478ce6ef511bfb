package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// control serves other commands of the same person on the same machine. They authenticate with a secret, which changes at
// every start and is in a file that only that person can read.
type control struct {
	app    *App
	secret string
}

func newSecret() string {
	b := make([]byte, 32)
	rand.Read(b) // never returns an error
	return hex.EncodeToString(b)
}

// ServeHTTP checks Host and secret before anything else.
func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if r.Host != c.app.Addr() || !ok || subtle.ConstantTimeCompare([]byte(given), []byte(c.secret)) != 1 || r.Method != http.MethodPost {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	answer, err := c.answer(w, r)
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		answer = map[string]string{"error": err.Error(), "hint": Hint(err)}
	}
	_ = json.NewEncoder(w).Encode(answer) // the other side is gone
}

func (c *control) answer(w http.ResponseWriter, r *http.Request) (any, error) {
	if strings.HasPrefix(r.URL.Path, "/control/map/") {
		return c.app.answerMap(w, r)
	}
	if strings.HasPrefix(r.URL.Path, "/control/groups/") {
		return c.app.answerGroups(w, r)
	}
	switch r.URL.Path {
	case "/control/login":
		return map[string]string{"url": c.app.Web.LoginURL("")}, nil
	case "/control/import":
		return c.app.Import(r.Context(), r.Body)
	case "/control/doctor":
		limit := time.Duration(0)
		if r.URL.Query().Get("full") != "" {
			limit = -1
		}
		return c.app.Examine(r.Context(), limit), nil
	case "/control/read":
		return c.app.Web.Reader().Answer(r.Context(), r.URL.Query().Get("path"), readValues(r.URL.Query().Get("query")))
	case "/control/ontologies":
		return c.app.answerOntologies(w, r)
	case "/control/train":
		return c.app.TrainTopic(r.Context(), r.URL.Query().Get("topic"))
	case "/control/restore":
		return c.app.restore(r.Context(), r.URL.Query().Get("file"))
	default:
		return nil, errors.New("unknown request")
	}
}

// ErrNotRunning is returned when no daemon serves a data folder.
var ErrNotRunning = errors.New("no nightjar is running")

// Call posts a request to the daemon that serves the data folder dir and decodes its answer. It returns ErrNotRunning if no
// daemon does.
func Call(ctx context.Context, dir, path string, body io.Reader, into any) error {
	info, err := readRunInfo(dir)
	if errors.Is(err, os.ErrNotExist) {
		return ErrNotRunning
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", runInfoPath(dir), err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+info.Listen+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+info.Secret)
	client := http.Client{Transport: &http.Transport{Proxy: nil}}
	res, err := client.Do(req)
	if err != nil {
		return ErrNotRunning // a daemon that was killed leaves its file behind
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		var said struct{ Error, Hint string }
		switch err := json.Unmarshal(text, &said); {
		case err == nil && said.Error != "" && said.Hint != "":
			return WithHint(errors.New(said.Error), "%s", said.Hint)
		case err == nil && said.Error != "":
			return errors.New(said.Error)
		}
		return fmt.Errorf("%w: another program answers on %s", ErrNotRunning, info.Listen)
	}
	return json.NewDecoder(bytes.NewReader(text)).Decode(into)
}
