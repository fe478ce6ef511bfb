package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/keep/doctor"
)

// TestDoctorAsksTheDaemon: the report of a running daemon is the daemon's own, and a new folder has nothing broken.
func TestDoctorAsksTheDaemon(t *testing.T) {
	dir := t.TempDir()
	daemon := serveApp(t, app.Config{Data: dir, FillDisk: true}) // whatever the machine has
	err := ingest.PairBrowser(t.Context(), daemon.Store.DB, ingest.Browser{Client: "c", Name: "Fire\x1b[31mfox\n", Origin: "o", Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := &command.Env{Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	if code := program().Run(t.Context(), env, []string{"doctor", "--json", "--full", "--data", dir}); code != 0 {
		t.Fatalf("exit %d: %s%s", code, out.String(), errs.String())
	}
	var report doctor.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"daemon": "Running, version " + app.Version, "port": daemon.Addr(), "database": "The file is sound",
		"next-night": "the night is off", "browsers": "1 browser connected", "extension": app.ExtensionDir(dir)}
	for id, says := range want {
		i := slices.IndexFunc(report.Checks, func(c doctor.Check) bool { return c.ID == id })
		if i < 0 || !strings.Contains(report.Checks[i].Says, says) {
			t.Errorf("%s says %q in %+v", id, says, report.Checks)
		}
	}
	out.Reset()
	if code := program().Run(t.Context(), env, []string{"doctor", "--data", dir}); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if text := out.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "note     Next night") {
		t.Errorf("it prints\n%s", text)
	}
}
