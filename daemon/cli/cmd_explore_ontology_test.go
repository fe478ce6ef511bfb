package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/app"
)

// TestOntologyOfDaemon: with a running daemon, its shelf does what the command line asks, and its pages hear of it.
func TestOntologyOfDaemon(t *testing.T) {
	dir := t.TempDir()
	daemon := serveApp(t, app.Config{Data: dir})
	news, end := daemon.Bus.Listen()
	defer end()
	file := filepath.Join(t.TempDir(), "music.txt")
	if err := os.WriteFile(file, []byte("music\n  jazz\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ontology := func(want int, args ...string) string {
		t.Helper()
		code, out, errs := mustRun(t, append(append([]string{"explore", "ontology"}, args...), "--data", dir)...)
		if code != want {
			t.Fatalf("%q: exit %d\n%s%s", args, code, out, errs)
		}
		return out + errs
	}
	ontology(0, "add", file)
	if n := <-news; n.Kind != "ontology" || n.ID != "1" {
		t.Errorf("the pages hear of %+v", n)
	}
	ontology(0, "rename", "music", "Sound")
	if text := ontology(0, "show", "sound"); text != "music\n  jazz\n" {
		t.Errorf("shown %q", text)
	}
	if text := ontology(1, "from-topic", "Harbours"); !strings.Contains(text, "nightjar export lists the topics") {
		t.Errorf("the hint is lost: %q", text)
	}
	one, err := daemon.Ontologies.ByName(t.Context(), "Sound")
	if err != nil || one.Count != 2 {
		t.Errorf("%+v, %v", one, err)
	}
	ontology(0, "delete", "Sound")
	if list, err := daemon.Ontologies.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("left %+v, %v", list, err)
	}
}
