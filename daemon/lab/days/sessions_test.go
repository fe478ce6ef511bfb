package days

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

// pagesOfSession and marksOfSession are the size of all sessions of walks: that of an evening.
const pagesOfSession, marksOfSession = 200, 12

// recordedWeb is a recorded web with its labels.
type recordedWeb struct {
	name   string
	files  []string // below the folder of corpora
	labels string   // file; "" gives a page each label that its address holds
	start  string
	topics []string // labels to look for: the first in each change, all at night
	lived  string   // that of them with which a day is lived, "" for none
	each   string   // what each change does with it: "lives" that day, "trains" only, or "", as another one is of its kind
}

// recordings are the real webs.
var recordings = []recordedWeb{
	{"cornell", []string{"webkb/cornell.warc.gz"}, "webkb/cornell.labels.tsv", "http://www.cs.cornell.edu/", []string{"course", "student", "faculty"}, "course", "lives"},
	{"texas", []string{"webkb/texas.warc.gz"}, "webkb/texas.labels.tsv", "http://www.cs.utexas.edu/", []string{"student", "course", "faculty"}, "", ""},
	{"washington", []string{"webkb/washington.warc.gz"}, "webkb/washington.labels.tsv", "http://www.cs.washington.edu/", []string{"faculty", "course", "student"}, "", ""},
	{"uic", []string{"uic/uic.warc.gz"}, "uic/uic.labels.tsv", "https://www.cs.uic.edu/", []string{"event", "person", "admission"}, "event", "trains"},
	{"docs", []string{"docs/www.postgresql.org.warc.gz"}, "", "http://www.postgresql.org/docs/15/index.html", []string{"/functions-"}, "/functions-", "trains"},
}

// opened is a recording that can be read.
type opened struct {
	recordedWeb
	replay *recording.Replay
	paths  []string
	graph  *corpus.Graph // of the walks
	known  *corpus.Labels
}

// corpora is the folder of recorded webs.
func corpora(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" {
		t.Skip("left out: $NIGHTJAR_CORPORA names no folder of recorded webs. TestMadeUpDay lives the same day on a made-up one")
	}
	return dir
}

// mustOpen opens a recording below a folder until the test ends.
func mustOpen(t *testing.T, dir string, r recordedWeb) *opened {
	t.Helper()
	o := &opened{recordedWeb: r}
	for _, f := range r.files {
		o.paths = append(o.paths, filepath.Join(dir, f))
	}
	var err error
	if o.replay, _, err = recording.Open(o.paths); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.replay.Close(); err != nil {
			t.Error(err)
		}
	})
	o.labels = filepath.Join(dir, r.labels)
	if r.labels == "" {
		o.labels = mustLabel(t, o.replay.Pages(), r.topics)
	}
	if o.known, err = corpus.ReadLabels([]string{o.labels}); err != nil {
		t.Fatal(err)
	}
	return o
}

// mustLabel writes a file that gives each page the labels that its address holds.
func mustLabel(t *testing.T, pages, labels []string) string {
	t.Helper()
	var text strings.Builder
	for _, url := range slices.Sorted(slices.Values(pages)) {
		for _, label := range labels {
			if strings.Contains(url, label) {
				text.WriteString(url + "\t" + label + "\n")
			}
		}
	}
	return mustWrite(t, "labels.tsv", text.String())
}

func mustWrite(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustWalk writes the session of a person who looks for the pages with a label.
func (o *opened) mustWalk(t *testing.T, label string) string {
	t.Helper()
	if o.graph == nil {
		o.graph = corpus.NewGraph(o.replay)
	}
	events, summary, err := corpus.Walk(t.Context(), o.replay, o.known, corpus.WalkOptions{
		Relevant: label, Starts: []string{o.start}, Pages: pagesOfSession, Targets: marksOfSession, Seed: 1, Graph: o.graph,
	})
	if err != nil {
		t.Fatal(err)
	}
	if summary.Useful != marksOfSession {
		t.Fatalf("the session has %d useful pages", summary.Useful)
	}
	return mustSession(t, events)
}

// mustSession writes a session file.
func mustSession(t *testing.T, events []protocol.Event) string {
	t.Helper()
	var text strings.Builder
	if err := session.Write(&text, events); err != nil {
		t.Fatal(err)
	}
	return mustWrite(t, "evening.session.jsonl", text.String())
}
