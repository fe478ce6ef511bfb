package alone

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runner notes what tests would see.
type runner func() int

func (r runner) Run() int { return r() }

// TestAlone: tests see nothing of the person and the machine, can build, and leave nothing behind.
func TestAlone(t *testing.T) {
	theirs, cache := t.TempDir(), goCache(t)
	for _, name := range []string{"HOME", "TMPDIR", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME", "NIGHTJAR_DATA", "WNSEARCHDIR", "http_proxy", "HTTPS_PROXY", "DBUS_SESSION_BUS_ADDRESS"} {
		t.Setenv(name, theirs)
	}
	t.Setenv("GOCACHE", cache) // HOME is another one already
	quietGo(t, theirs)
	t.Setenv("NIGHTJAR_CORPORA", "kept")
	t.Setenv("NIGHTJAR_AS_ROOT", "")
	var own string
	code := Tests(runner(func() int {
		own = filepath.Dir(os.TempDir())
		for _, variable := range os.Environ() {
			if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(value, theirs) && !strings.HasPrefix(value, own) && !strings.HasPrefix(name, "GO") {
				t.Errorf("they see %s", variable)
			}
		}
		for _, name := range []string{"HOME", "TMPDIR", "XDG_DATA_DIRS"} {
			if files, err := os.ReadDir(os.Getenv(name)); err != nil || len(files) > 0 || !strings.HasPrefix(os.Getenv(name), own) {
				t.Errorf("%s=%s has %d files, %v", name, os.Getenv(name), len(files), err)
			}
		}
		quietGo(t, filepath.Join(os.Getenv("HOME"), ".config"))
		if os.Getenv("NIGHTJAR_CORPORA") != "kept" || os.Getenv("NIGHTJAR_AS_ROOT") != "1" || goCache(t) != cache {
			t.Errorf("it is not kept: %q", os.Environ())
		}
		return 7
	})).Run()
	if _, err := os.Stat(own); code != 7 || !strings.HasPrefix(own, theirs) || !os.IsNotExist(err) {
		t.Errorf("code %d; %s is left: %v", code, own, err)
	}
}

// quietGo keeps the go command from leaving a process of its own, which would write to a folder that is being deleted.
func quietGo(t *testing.T, config string) {
	t.Helper()
	dir := filepath.Join(config, "go", "telemetry")
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "mode"), []byte("off"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
