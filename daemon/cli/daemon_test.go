package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/app"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
)

// TestImportTrainExport: with and without a running daemon, a session file is imported, trained on and exported unchanged.
func TestImportTrainExport(t *testing.T) {
	file := harbours(t)
	for _, running := range []bool{true, false} {
		dir := t.TempDir()
		if running {
			serveApp(t, app.Config{Data: dir})
		}
		if code, out, errs := mustRun(t, "import", "--data", dir, file); code != 0 || !strings.Contains(out, "13 events of 1 session") {
			t.Fatalf("running %v: import: code %d, %q, %q", running, code, out, errs)
		}
		st, err := store.Open(t.Context(), filepath.Join(dir, "nightjar.db"))
		if err != nil {
			t.Fatal(err)
		}
		waitTrained(t, st, 1)
		st.Close()
		again := filepath.Join(t.TempDir(), "again.session.jsonl")
		if code, _, errs := mustRun(t, "export", "--data", dir, "--topic", "harbours", "--out", again); code != 0 {
			t.Fatalf("export: %s", errs)
		}
		want, err1 := os.ReadFile(file)
		got, err2 := os.ReadFile(again)
		if err1 != nil || err2 != nil || string(got) != string(want) {
			t.Errorf("running %v: exported %d bytes, imported %d (%v, %v)", running, len(got), len(want), err1, err2)
		}
		bundle := filepath.Join(t.TempDir(), "m.bundle")
		if code, _, errs := mustRun(t, "export", "--data", dir, "--topic", "Harbours", "--model", "--out", bundle); code != 0 {
			t.Errorf("export --model: %s", errs)
		}
	}
}

func TestBrokenSessionFileChangesNothing(t *testing.T) {
	good, err := os.ReadFile(harbours(t))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(good), "\n")
	for name, broken := range map[string]string{
		"line 3":            lines[0] + lines[1] + lines[2][:40] + "\n" + strings.Join(lines[3:], ""),
		"type \"teleport\"": strings.Replace(string(good), `"type":"useful"`, `"type":"teleport"`, 1),
		"version 9":         strings.Replace(string(good), `"v":1`, `"v":9`, 1),
	} {
		dir := t.TempDir()
		file := filepath.Join(t.TempDir(), "broken.session.jsonl")
		if err := os.WriteFile(file, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, errs := mustRun(t, "import", "--data", dir, file)
		if code != 1 || !strings.Contains(errs, "line ") || !strings.Contains(errs, "hint: ") {
			t.Errorf("%s: code %d, %q", name, code, errs)
		}
		st, err := store.Open(t.Context(), filepath.Join(dir, "nightjar.db"))
		if err != nil {
			t.Fatal(err)
		}
		if all, err := sessions.List(t.Context(), st.DB); err != nil || len(all) > 0 {
			t.Errorf("%s: something was imported: %v, %v", name, all, err)
		}
		st.Close()
	}
}

func TestSecondDaemonAndTakenPort(t *testing.T) {
	dir := t.TempDir()
	daemon := serveApp(t, app.Config{Data: dir})
	code, _, errs := mustRun(t, "serve", "--data", dir, "--listen", "127.0.0.1:0")
	if code != 1 || !strings.Contains(errs, "another nightjar") || !strings.Contains(errs, daemon.Addr()) {
		t.Errorf("second daemon: code %d, %q", code, errs)
	}
	code, _, errs = mustRun(t, "serve", "--data", t.TempDir(), "--listen", daemon.Addr())
	if code != 1 || !strings.Contains(errs, "the port is taken by another Nightjar") || !strings.Contains(errs, "--listen") {
		t.Errorf("taken port: code %d, %q", code, errs)
	}
	code, _, errs = mustRun(t, "serve", "--data", filepath.Join("/proc", "nightjar"), "--listen", "127.0.0.1:0")
	if code != 1 || !strings.Contains(errs, "--data DIR") {
		t.Errorf("folder that cannot be written: code %d, %q", code, errs)
	}
}

func TestOpenNeedsADaemon(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // a demonstration elsewhere on the machine would change the hint
	if code, _, errs := mustRun(t, "open", "--print", "--data", t.TempDir()); code != 1 || !strings.Contains(errs, "nightjar serve") {
		t.Errorf("code %d, %q", code, errs)
	}
	dir := t.TempDir()
	daemon := serveApp(t, app.Config{Data: dir})
	code, out, errs := mustRun(t, "open", "--print", "--data", dir)
	if code != 0 || !strings.Contains(out, ".localhost:"+strings.TrimPrefix(daemon.Addr(), "127.0.0.1:")+"/login?code=") {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}
