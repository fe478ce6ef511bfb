package machine

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadPmset(t *testing.T) {
	for text, want := range map[string]Answer{
		"Now drawing from 'AC Power'\n -InternalBattery-0 (id=1234)\t100%; charged; 0:00 remaining present: true\n":         No,
		"Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1234)\t97%; discharging; 5:02 remaining present: true\n": Yes,
		"Now drawing from 'UPS Power'\n": Yes,
		"Now drawing from 'AC Power'\n":  No, // a machine without a battery
		"":                               Unknown,
		"No such file":                   Unknown,
	} {
		if got := readPmset(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestState looks at the machine that the test runs on: at the disk, which every machine has, and again only when the
// look is no longer fresh.
func TestState(t *testing.T) {
	dir := t.TempDir()
	m := New(Options{Disk: dir})
	s := m.State(t.Context())
	if s.Free <= 0 || s.Size < s.Free {
		t.Errorf("free %d of %d bytes", s.Free, s.Size)
	}
	m.o.Disk = filepath.Join(dir, "gone")
	if again := m.State(t.Context()); again != s {
		t.Errorf("a fresh look was not used: %+v, then %+v", s, again)
	}
	m.o.Fresh = -1
	if gone := m.State(t.Context()); gone.Free != -1 || gone.Size != -1 {
		t.Errorf("a folder that is not there has %d of %d bytes free", gone.Free, gone.Size)
	}
}

func mustWrite(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
