package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/app"
	"nightjar/daemon/browse/topics"
)

// TestImportModelBesideDaemon: a running daemon uses an imported model at once, and a refused one changes nothing.
func TestImportModelBesideDaemon(t *testing.T) {
	name := filepath.Join(t.TempDir(), "harbours.bundle")
	elsewhere := t.TempDir()
	for _, args := range [][]string{{"import", harbours(t)}, {"export", "--topic", "Harbours", "--model", "--out", name}} {
		if code, _, errs := mustRun(t, append(args, "--data", elsewhere)...); code != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
	}
	daemon := serveApp(t, app.Config{Data: t.TempDir()})
	for range 2 { // the second is the same model, so it stays version 1
		code, out, errs := mustRun(t, "import", "--data", daemon.Config.Data, name)
		if code != 0 || !strings.Contains(out, `version 1 of the model of "Harbours"`) {
			t.Fatalf("import: code %d, %q, %q", code, out, errs)
		}
	}
	waitTrained(t, daemon.Store, 1)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text[8] = 99 // the version of the format
	newer := filepath.Join(t.TempDir(), "newer.bundle")
	if err := os.WriteFile(newer, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := mustRun(t, "import", "--data", daemon.Config.Data, newer); code != 1 || !strings.Contains(errs, "newer version of nightjar") || !strings.Contains(errs, "hint: update nightjar") {
		t.Errorf("a newer model: code %d, %s", code, errs)
	}
	waitTrained(t, daemon.Store, 1)
	if topics, err := topics.List(t.Context(), daemon.Store.DB); err != nil || len(topics) != 1 {
		t.Errorf("topics %v, %v", topics, err)
	}
}
