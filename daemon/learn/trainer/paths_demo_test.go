package trainer

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
	"nightjar/model/ways"
)

var update = flag.Bool("update", false, "write the golden files anew")

// demoSession is the session that the demo plays on the made-up web of seed 1.
func demoSession(tb testing.TB) *session.Session {
	tb.Helper()
	web := demoweb.Generate(1)
	var stored bytes.Buffer
	if err := web.Record(&stored); err != nil {
		tb.Fatal(err)
	}
	name := filepath.Join(tb.TempDir(), "web.warc.gz")
	if err := os.WriteFile(name, stored.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	replay, _, err := recording.Open([]string{name})
	if err != nil {
		tb.Fatal(err)
	}
	defer replay.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	var events []protocol.Event
	s := surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: web.Topic, Start: start, Rand: rng, Load: corpus.Loader(replay),
		Emit: func(e protocol.Event) error {
			events = append(events, e)
			return nil
		},
	})
	if err := demoweb.Play(tb.Context(), s, web.Script(), nil); err != nil {
		tb.Fatal(err)
	}
	recs, err := session.Fold(events)
	if err != nil || len(recs) != 1 {
		tb.Fatalf("%d sessions, %v", len(recs), err)
	}
	return recs[0]
}

// readable writes paths for a person: a line for each page, with the layer, the link that was followed, and the address.
func readable(paths []ways.Path) string {
	var b strings.Builder
	for _, p := range paths {
		sign := "not useful"
		if p.Positive {
			sign = "useful"
		}
		fmt.Fprintf(&b, "%s, %s, %v times, from %s\n", p.Kind, sign, p.Count, p.Tree)
		for _, s := range p.Steps {
			fmt.Fprintf(&b, "  T%d  link %2d %-28q  %s\n", s.Hop, s.Position, s.Anchor, s.URL)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestDemoPaths compares the paths of the demo's session with testdata/demo_paths.txt, which a person has read.
func TestDemoPaths(t *testing.T) {
	got := readable(mustPaths(t, []*session.Session{demoSession(t)}, nil, nil))
	name := filepath.Join("testdata", "demo_paths.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the paths differ from %s; look at them and write them anew with -update:\n%s", name, got)
	}
}
