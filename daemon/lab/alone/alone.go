// Package alone keeps tests of the whole program apart from the person and the machine that they run on.
//
// Such a program looks at the person's home, at the machine's temporary folder, where other Nightjars have theirs, at data that
// is installed for all, and at buses and proxies. A package that runs it writes
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(alone.Tests(m)) }
//
// or os.Exit(alone.Tests(m).Run()). A test in nightjar/daemon holds that.
package alone

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Runner runs tests; *testing.M is one.
type Runner interface{ Run() int }

// Tests makes a Runner that runs the tests of another in an environment of their own, in a folder that is deleted afterwards.
func Tests(m Runner) Runner { return tests{m} }

type tests struct{ Runner }

func (t tests) Run() int {
	dir, err := os.MkdirTemp("", "nj-") // short: a browser's sockets are in it, and their paths have 107 bytes at most
	if err == nil {
		err = Enter(dir)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "give the tests an environment of their own: %v\n", err)
		return 1
	}
	code := t.Runner.Run()
	if err := remove(dir); err != nil {
		fmt.Fprintf(os.Stderr, "left behind: %s: %v\n", dir, err)
	}
	return code
}

// remove deletes a folder. The go command leaves a process of its own, which writes to the home for a moment longer.
func remove(dir string) (err error) {
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// Enter changes the environment of this process, and so of those that it starts, to one in dir. Where Go keeps what it built
// and downloaded, the names that Nightjar's tests read (NIGHTJAR_CORPORA and others), the time zone and the language stay.
func Enter(dir string) error {
	if err := keepGo(); err != nil {
		return err
	}
	for _, name := range os.Environ() {
		name, _, _ = strings.Cut(name, "=")
		if theirs(strings.ToUpper(name)) {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	for name, value := range map[string]string{
		"HOME": filepath.Join(dir, "home"), "TMPDIR": filepath.Join(dir, "tmp"), "XDG_DATA_DIRS": filepath.Join(dir, "share"),
	} {
		if err := os.Mkdir(value, 0o700); err != nil {
			return err
		}
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	for _, bus := range []string{"DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"} { // unset, it would be looked for
		if err := os.Setenv(bus, "unix:path="+filepath.Join(dir, "no-bus")); err != nil {
			return err
		}
	}
	return os.Setenv("NIGHTJAR_AS_ROOT", "1") // in containers, tests run as root
}

// theirs reports whether a variable, in capitals, is about the person, the machine or a Nightjar of theirs.
func theirs(name string) bool {
	switch name {
	case "NIGHTJAR_DATA", "WNSEARCHDIR", "BROWSER", "DISPLAY", "WAYLAND_DISPLAY":
		return true
	}
	return strings.HasPrefix(name, "XDG_") || strings.HasSuffix(name, "_PROXY")
}

// keepGo sets the variables of the folders that Go finds by the home otherwise. Without Go there is nothing to keep.
func keepGo() error {
	said, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOENV").Output()
	if err != nil {
		return nil
	}
	var folders map[string]string
	if err := json.Unmarshal(said, &folders); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	for name, folder := range folders {
		if err := os.Setenv(name, folder); err != nil {
			return err
		}
	}
	return nil
}
