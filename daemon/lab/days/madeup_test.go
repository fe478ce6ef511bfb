package days

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/effort"
)

// TestMadeUpDay lives a day on the web of the demonstration.
func TestMadeUpDay(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	made := demoweb.Generate(2)
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "made-up.warc"))
	if err != nil {
		t.Fatal(err)
	}
	if err := made.Record(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	o := mustOpen(t, dir, recordedWeb{files: []string{"made-up.warc"}, topics: []string{"/"}})
	var events []protocol.Event
	rng := rand.New(rand.NewPCG(2, 0x64617973))
	s := surfer.New(surfer.Options{Client: surfer.NewClient(rng), Topic: made.Topic, Start: time.Now().Add(-time.Hour), Rand: rng,
		Load: corpus.Loader(o.replay), Emit: func(e protocol.Event) error {
			events = append(events, e)
			return nil
		}})
	if err := demoweb.Play(t.Context(), s, made.Script(), nil); err != nil {
		t.Fatal(err)
	}
	d := &day{session: mustSession(t, events), word: strings.ToLower(made.Topic), useful: made.Relevant, pages: 40}
	d.live(t, serveWeb(t, o.replay))
}
