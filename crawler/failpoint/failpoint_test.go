package failpoint_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build compiles testdata/program, with or without failpoints.
func build(t *testing.T, tags string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program.exe")
	if out, err := exec.Command("go", "build", "-tags", tags, "-o", name, "./testdata/program").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return name
}

// run returns what the program printed, whether it ended by itself, and the places that it logged.
func run(t *testing.T, program, plan string) (printed string, whole bool, passed string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "NIGHTJAR_FAILPOINT="+plan, "NIGHTJAR_FAILPOINT_LOG="+log)
	out, err := cmd.Output()
	text, lerr := os.ReadFile(log)
	if lerr != nil && !errors.Is(lerr, os.ErrNotExist) {
		t.Fatal(lerr)
	}
	return string(out), err == nil, string(text)
}

func TestWithTheTagItEndsTheProcess(t *testing.T) {
	name := build(t, "failpoints")
	before, after := "test.before-the-line\n", "test.after-the-line\n"
	for _, c := range []struct {
		plan, printed string
		whole         bool
		passed        string
	}{
		{"", "line 0\nline 1\nline 2\n", true, strings.Repeat(before+after, 3)},
		{"test.before-the-line:1", "", false, before},
		{"test.after-the-line:1", "line 0\n", false, before + after},
		{"test.before-the-line:3", "line 0\nline 1\n", false, strings.Repeat(before+after, 2) + before},
		{"test.after-the-line:4", "line 0\nline 1\nline 2\n", true, strings.Repeat(before+after, 3)},
		{"test.elsewhere:1", "line 0\nline 1\nline 2\n", true, strings.Repeat(before+after, 3)},
		{"test.before-the-line:0", "", false, ""}, // no pass has this number
		{"test.before-the-line", "", false, ""},
	} {
		printed, whole, passed := run(t, name, c.plan)
		if printed != c.printed || whole != c.whole || passed != c.passed {
			t.Errorf("%q: printed %q, whole %v, passed %q", c.plan, printed, whole, passed)
		}
	}
}

func TestPassesCountFromWhenAFileIsThere(t *testing.T) {
	name := build(t, "failpoints")
	file := filepath.Join(t.TempDir(), "file")
	t.Setenv("NIGHTJAR_FAILPOINT_AFTER", file)
	if printed, whole, _ := run(t, name, "test.before-the-line:1"); printed != "line 0\nline 1\nline 2\n" || !whole {
		t.Errorf("without the file: printed %q, whole %v", printed, whole)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if printed, whole, _ := run(t, name, "test.before-the-line:2"); printed != "line 0\n" || whole {
		t.Errorf("with the file: printed %q, whole %v", printed, whole)
	}
}

func TestItWaitsForAFile(t *testing.T) {
	name, dir := build(t, "failpoints"), t.TempDir()
	log, file := filepath.Join(dir, "log"), filepath.Join(dir, "go on")
	cmd := exec.Command(name)
	var printed bytes.Buffer
	cmd.Stdout = &printed
	cmd.Env = append(os.Environ(), "NIGHTJAR_FAILPOINT=test.after-the-line:2:wait", "NIGHTJAR_FAILPOINT_LOG="+log, "NIGHTJAR_FAILPOINT_GO="+file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	passed := strings.Repeat("test.before-the-line\ntest.after-the-line\n", 2)
	for text := ""; text != passed; { // the test's own time limit ends it when the program never comes there
		read, err := os.ReadFile(log)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if text = string(read); len(text) > len(passed) {
			t.Fatalf("it went on to %q", text)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || printed.String() != "line 0\nline 1\nline 2\n" {
		t.Errorf("printed %q, %v", printed.String(), err)
	}
}

func TestWithoutTheTagNothingIsLeft(t *testing.T) {
	name := build(t, "")
	if printed, whole, passed := run(t, name, "test.before-the-line:1"); printed != "line 0\nline 1\nline 2\n" || !whole || passed != "" {
		t.Errorf("printed %q, whole %v, passed %q", printed, whole, passed)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range []string{"test.before-the-line", "test.after-the-line", "NIGHTJAR_FAILPOINT"} {
		if bytes.Contains(text, []byte(trace)) {
			t.Errorf("the program holds %q", trace)
		}
	}
}

func TestSpansAreShorterWithTheTag(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Setenv("NIGHTJAR_SPANS", "test.one=2s,test.two=30ms")
	for _, c := range []struct{ tags, name, printed string }{
		{"failpoints", "test.one", "2s\n"}, {"failpoints", "test.two", "30ms\n"}, {"failpoints", "test.three", "1h0m0s\n"}, {"", "test.one", "1h0m0s\n"},
	} {
		out, err := exec.Command(build(t, c.tags), c.name).Output()
		if err != nil || string(out) != c.printed {
			t.Errorf("tags %q, %s: %q, %v", c.tags, c.name, out, err)
		}
	}
	t.Setenv("NIGHTJAR_SPANS", "test.one=soon")
	if _, err := exec.Command(build(t, "failpoints"), "test.one").Output(); err == nil {
		t.Error("a span that is none is taken")
	}
}
