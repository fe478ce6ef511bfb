package terminal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgramOf(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	for _, c := range []struct{ started, executable, want string }{
		{"nightjar", "/usr/bin/nightjar", "nightjar"},
		{"./bin/nightjar", "/home/p/nightjar/bin/nightjar", "./bin/nightjar"},
		{"/opt/my programs/nightjar", "/opt/my programs/nightjar", "'/opt/my programs/nightjar'"},
		{"bird", "/usr/bin/bird", "bird"},
		{"/tmp/go-build123/b001/exe/daemon", "/tmp/go-build123/b001/exe/daemon", "go run ./daemon"},
		{"/home/p/.cache/go-build/0a/" + hash + "-d/daemon", "/home/p/.cache/go-build/0a/" + hash + "-d/daemon", "go run ./daemon"},
		{"/cache/0a/" + hash + "-d/daemon", "/cache/0a/" + hash + "-d/daemon", "go run ./daemon"}, // GOCACHE=/cache
		{`C:\Temp\go-build1\b001\exe\daemon.exe`, `C:\Temp\go-build1\b001\exe\daemon.exe`, "go run ./daemon"},
		{"/home/p/go-builds/nightjar", "/home/p/go-builds/nightjar", "/home/p/go-builds/nightjar"},
		{"/tmp/go-build123/b001/cli.test", "/tmp/go-build123/b001/cli.test", "nightjar"},
		{"", "", "nightjar"},
	} {
		if got := programOf(c.started, c.executable, "daemon"); got != c.want {
			t.Errorf("%q at %q: %q, want %q", c.started, c.executable, got, c.want)
		}
	}
}

// TestOnPath: a program that a shell finds by its name is called by it, also when it was started by its path, as by a service.
func TestOnPath(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "bird")
	mustWrite(t, name, "#!/bin/sh\n")
	if err := os.Chmod(name, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	if got := programOf(name, name, "daemon"); got != name {
		t.Errorf("not on the path: %q", got)
	}
	t.Setenv("PATH", dir)
	if got := programOf(name, name, "daemon"); got != "bird" {
		t.Errorf("on the path: %q", got)
	}
}

func TestOn(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/home/p/data")
	t.Setenv("NIGHTJAR_DATA", "/elsewhere")
	for data, want := range map[string]string{
		"/home/p/data/nightjar": "nightjar open",
		"/elsewhere":            "nightjar open --data /elsewhere",
		"/it's mine":            `nightjar open --data '/it'\''s mine'`,
		"":                      "nightjar open",
	} {
		if got := On(data, "open"); got != want {
			t.Errorf("%q: %q, want %q", data, got, want)
		}
	}
}

// TestQuote: a shell reads what was quoted as one word.
func TestQuote(t *testing.T) {
	if got := Quote("/a b/c'd"); got != `'/a b/c'\''d'` {
		t.Errorf("a path with spaces: %s", got)
	}
	if got := Quote("/home/Jörg/data"); got != "/home/Jörg/data" {
		t.Errorf("a path of letters: %s", got)
	}
	for _, word := range []string{"plain", "two words", "it's", `"`, "$HOME", "*", "a;b", "", "~/x", "-x", "\n", "`x`", "a\\b", "#"} {
		if strings.Contains(word, `\`) {
			continue // a path of Windows is not quoted for a shell of others
		}
		out, err := exec.Command("sh", "-c", "printf %s. "+Quote(word)).Output()
		if err != nil || string(out) != word+"." {
			t.Errorf("%q became %q, %v", word, out, err)
		}
	}
}

// TestGoRun: the Go command really keeps programs where FromGoRun looks.
func TestGoRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module trial\n\ngo 1.26\n",
		"daemon/main.go": "package main\n\nimport \"os\"\n\nfunc main() { name, _ := os.Executable(); os.Stdout.WriteString(name) }\n",
	} {
		mustWrite(t, filepath.Join(dir, name), text)
	}
	cmd := exec.Command("go", "run", "./daemon")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil || !FromGoRun(string(out)) {
		t.Errorf("%q, %v", out, err)
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
