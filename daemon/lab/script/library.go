package script

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"nightjar/crawler/page"
	"nightjar/daemon/app"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// library makes a data folder that crawls the web at $WEB, if there is one, without delay, on any power and network: library DIR.
func library(ts *testscript.TestScript, _ bool, args []string) {
	s := settings.Default()
	s.Delay, s.OnMains, s.Unmetered, s.Archive.Enabled = 0, false, false, false
	if at := ts.Getenv("WEB"); at != "" {
		s.Resolve = []string{"*.test=" + at}
	}
	c := app.Config{Data: ts.MkAbs(args[0])}
	ts.Check(c.Complete(ts.Getenv))
	ctx := context.Background()
	ts.Check(app.WithStore(ctx, c.Data, func(st *store.Store) error { return st.SaveSettings(ctx, s) }))
}

// cite writes the titles of pages about the topic of the made-up web of a seed as a bibliography: cite SEED FILE.bib.
func cite(ts *testscript.TestScript, _ bool, args []string) {
	seed, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	web := demoweb.Generate(seed)
	handler := web.Handler()
	var bib strings.Builder
	for i, url := range web.RelevantPages() {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, url, nil))
		p, err := page.Parse(url, "text/html; charset=utf-8", rec.Body.Bytes())
		ts.Check(err)
		title, _, _ := strings.Cut(p.Title, " - ")
		fmt.Fprintf(&bib, "@article{a%d,\n  author = {Ann Author},\n  title = {%s},\n  year = {2001}\n}\n", i, title)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(bib.String()), 0o600))
}

// searXNG serves an instance of SearXNG until the script ends, at $SEARXNG, and writes what it is asked to a file: searxng FILE
// STATUS [URL...]. With status 200 it answers with the addresses.
func searXNG(ts *testscript.TestScript, _ bool, args []string) {
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	var mu sync.Mutex
	name := ts.MkAbs(args[0])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, _ = fmt.Fprintln(file, r.URL.Query().Get("q"))
			_ = file.Close()
		}
		w.WriteHeader(status)
		results := []map[string]string{}
		for _, url := range args[2:] {
			results = append(results, map[string]string{"url": url, "title": "A page"})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
	}))
	ts.Defer(server.Close)
	ts.Setenv("SEARXNG", server.URL)
}

// scan writes a PDF without text, as a scanner does: scan FILE.pdf.
func scan(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pdftest.Write(make([][]pdftest.Line, 2), ""), 0o600))
}
