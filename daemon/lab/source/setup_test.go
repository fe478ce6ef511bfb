package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standIns are programs for .ci/setup, which names them: a machine of its own, on which nobody has to wait.
var standIns = map[string]string{
	"id":    `echo "$USER_ID"`,
	"sudo":  `exit 1`,
	"sleep": `echo "slept $1" >> "$DONE"`,
	"gcc":   ``,
	"npm":   `echo "npm $*" >> "$DONE"`,
	"apt-get": `echo "apt-get $*" >> "$DONE"
for last; do :; done
if [ -n "$REFUSES" ] && [ "$(grep -c '^apt-get' "$DONE")" -le "$TIMES" ]; then echo "$REFUSES" >&2; exit 100; fi
case $last in update) ;; *) printf '#!/bin/sh\n' > "$BIN/$last"; chmod 755 "$BIN/$last" ;; esac`,
}

// runSetup runs .ci/setup on a machine that has no browser. It returns what is said, and what was done.
func runSetup(t *testing.T, env ...string) (said, done string) {
	t.Helper()
	script, err := filepath.Abs(root + "/.ci/setup")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	for name, text := range standIns {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"sh", "env", "grep", "sed", "tail", "chmod"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("left out: %v", err)
		}
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "extension"), 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "done")
	cmd := exec.Command(filepath.Join(bin, "sh"), script)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + bin, "BIN=" + bin, "DONE=" + log, "USER_ID=0", "REFUSES=", "TIMES=0"}, env...)
	out, _ := cmd.CombinedOutput() // what it says tells whether it ended well
	text, _ := os.ReadFile(log)
	return string(out), string(text)
}

// TestSetupWaitsForApt: another program that holds one of apt's locks is waited for, and named once.
func TestSetupWaitsForApt(t *testing.T) {
	for _, lock := range []string{
		"E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (unattended-upgr)\nE: Unable to acquire the dpkg frontend lock",
		"E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)\nE: Unable to lock directory /var/lib/apt/lists/",
		"dpkg: error: dpkg frontend lock was locked by another process with pid 7",
	} {
		said, done := runSetup(t, "REFUSES="+lock, "TIMES=3")
		what := strings.TrimPrefix(strings.Split(lock, "\n")[0], "E: ")
		if strings.Count(said, "waiting up to five minutes for another program that uses apt: "+what) != 1 || !strings.HasSuffix(said, "setup: ready\n") {
			t.Errorf("it says\n%s", said)
		}
		if strings.Count(done, "slept") != 3 || !strings.Contains(done, " chromium\n") || !strings.Contains(done, " firefox-esr\n") {
			t.Errorf("it does\n%s", done)
		}
	}
}

// TestSetupSaysWhatHelps: what cannot be installed is said with the reason, which is apt's for those who may install.
func TestSetupSaysWhatHelps(t *testing.T) {
	for name, tt := range map[string]struct {
		env        []string
		want, lack string
		waits      int
	}{
		"root": {[]string{"REFUSES=E: Unable to locate package x\nE: No space left", "TIMES=99"}, "!!! apt-get said: E: Unable to locate package x\n!!! E: No space left\n", "as root", 0},
		"kept": {[]string{"REFUSES=E: Could not get lock /l. It is held by process 7", "TIMES=999", "CI=true"}, "!!! another program has kept apt for five minutes: let it end, and run this again\n", "ready", 60},
		"user": {[]string{"USER_ID=1000"}, "!!! install chromium, or run this as root\n", "apt-get", 0},
		"CI":   {[]string{"USER_ID=1000", "CI=true"}, "!!! no Chromium: its tests are left out\n!!! install chromium", "firefox", 0},
	} {
		said, done := runSetup(t, tt.env...)
		if !strings.Contains(said, tt.want) || strings.Contains(said, tt.lack) || strings.Count(done, "slept") != tt.waits {
			t.Errorf("%s: it says\n%s\nand does\n%s", name, said, done)
		}
	}
}
