package bench

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/alone"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/verb"
)

// TestMain lets the test program run the jobs that a Runner starts it for.
func TestMain(m *testing.M) {
	os.Exit(verb.Tests(alone.Tests(m), command.Command{Name: "bench", Below: []command.Command{JobCommand}}))
}

// runner measures what is in a folder.
func runner(t *testing.T, dir string) *Runner {
	t.Helper()
	return &Runner{Dir: dir, Warn: func(format string, args ...any) { t.Logf("warning: "+format, args...) }}
}

// madeUp writes the made-up web "one" to a folder of its own.
func madeUp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := (MadeUp{Name: "one", Seed: 1}).write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// evenings is a task on the web that madeUp writes.
func evenings(seeds ...uint64) Task {
	return Task{
		Corpus: []string{"one.warc.gz"}, Labels: []string{"one.labels.tsv"}, Relevant: []string{"topic"}, Sessions: []string{"one.session.jsonl"},
		Starts: []string{"http://compass-directory.test/"}, Budget: 60, Seeds: seeds,
	}
}

// record writes pages (URL -> links in them) as NAME in a folder.
func record(t *testing.T, dir, name string, urls []string, links map[string][]string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := warc.NewWriter(f)
	for _, url := range urls {
		body := "<title>" + url + "</title><p>This page is about " + url[strings.LastIndex(url, "/")+1:] + " and its kin."
		for _, to := range links[url] {
			body += fmt.Sprintf("<p><a href=%q>more of %s</a>\n", to, to)
		}
		if err := w.Response(url, corpus.Epoch, http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
}

// write writes a file to a folder.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustRun measures a task.
func mustRun(t *testing.T, r *Runner, task Task, missing string) *Result {
	t.Helper()
	result, err := r.Run(t.Context(), task, missing)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// named is the strategy of that name.
func (r *Result) named(t *testing.T, name string) Strategy {
	t.Helper()
	for _, s := range r.Strategies {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no strategy %s among the results", name)
	return Strategy{}
}
