package days

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nightjar/daemon/cli"
	lab "nightjar/daemon/lab/cli"
)

// patience is how long anything may take before a test fails. It is no limit of the program.
const patience = 10 * time.Minute

// asProgram, in the environment, makes the binary of this test the program itself.
const asProgram = "NIGHTJAR_DAYS_PROGRAM"

func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "nightjar":
		os.Exit(cli.Main(os.Args[1:]))
	case "lab":
		os.Exit(lab.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// expected are the warnings and errors that a log may have, and why.
var expected = []struct{ message, because string }{
	{"the crawler may fetch from addresses that are otherwise refused", "the tests serve the recorded web on this machine"},
}

// complaints are the lines of a log that tell of something unexpected.
func complaints(log string) (all []string) {
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "level=WARN") && !strings.Contains(line, "level=ERROR") && !strings.HasPrefix(line, "nightjar: warning: ") && !strings.HasPrefix(line, "nightjar: error: ") {
			continue
		}
		known := false
		for _, e := range expected {
			known = known || strings.Contains(line, e.message)
		}
		if !known {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

func TestComplaints(t *testing.T) {
	log := "time=1 level=INFO msg=\"night crawl\"\n" +
		"time=1 level=WARN msg=\"the crawler may fetch from addresses that are otherwise refused\" resolve=[x]\n" +
		"training: 8 of 8, measuring how sure it is\n"
	if got := complaints(log); len(got) > 0 {
		t.Errorf("expected lines are complained about: %q", got)
	}
	bad := []string{"time=1 level=WARN msg=other", "time=1 level=ERROR msg=other", "nightjar: warning: other", "nightjar: error: other"}
	if got := complaints(log + strings.Join(bad, "\n")); !slices.Equal(got, bad) {
		t.Errorf("%q, want %q", got, bad)
	}
}

// command is the program with arguments. Its temporary files, and what it takes for the person's home, are in the folder of the
// test; no other setting of the person reaches it. Certificates that the authority signed are good.
func command(t *testing.T, home, authority string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := "nightjar"
	if slices.Contains([]string{"train", "crawl"}, args[0]) {
		program = "lab"
	}
	cmd := exec.Command(self, args...)
	cmd.Env = []string{asProgram + "=" + program, "NIGHTJAR_AS_ROOT=1", "TMPDIR=" + home, "HOME=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "SSL_CERT_FILE=" + authority}
	return cmd
}

// run runs a command, which must succeed and complain about nothing, and returns what it prints.
func run(t *testing.T, home string, args ...string) string {
	t.Helper()
	cmd := command(t, home, "", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("nightjar %s: %v\n%s%s", strings.Join(args, " "), err, out.String(), errs.String())
	}
	for _, c := range complaints(errs.String()) {
		t.Errorf("nightjar %s: %s", args[0], c)
	}
	return out.String()
}

// life is one run of the daemon.
type life struct {
	t       *testing.T
	cmd     *exec.Cmd
	out     buffer // what it prints
	log     buffer
	over    chan struct{}
	login   string // one-time link to the dashboard
	address string // ADDR:PORT
}

// buffer is written by the program while the test reads it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

var whereItIs = regexp.MustCompile(`(?s)(http://\S+/login\S+).*ws://(\S+)/ws`)

// serve starts the daemon, which crawls the web that w serves.
func serve(t *testing.T, home, data string, w *web) *life {
	t.Helper()
	l := &life{t: t, over: make(chan struct{})}
	l.cmd = command(t, home, w.authority, "serve", "--listen", "127.0.0.1:0", "--data", data, "--resolve", "*="+w.address)
	l.cmd.Stdout, l.cmd.Stderr = &l.out, &l.log
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = l.cmd.Wait() // how it ended is in ProcessState
		close(l.over)
	}()
	t.Cleanup(func() {
		if err := l.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		<-l.over
	})
	l.wait("the daemon says where it is", func() bool {
		found := whereItIs.FindStringSubmatch(l.out.String())
		if found != nil {
			l.login, l.address = found[1], found[2]
		}
		return found != nil
	})
	return l
}

// wait calls ok until it is true. It fails at once when the daemon ends or complains.
func (l *life) wait(what string, ok func() bool) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), patience)
	defer cancel()
	for !ok() {
		l.quiet()
		select {
		case <-l.over:
			l.t.Fatalf("%s: the daemon ended: %v\n%s", what, l.cmd.ProcessState, l.log.String())
		case <-ctx.Done():
			l.t.Fatalf("%s: not after %v\n%s", what, patience, l.log.String())
		case <-time.After(200 * time.Millisecond): // each look costs the daemon a page
		}
	}
}

// quiet checks that the log complains about nothing.
func (l *life) quiet() {
	l.t.Helper()
	if all := complaints(l.log.String()); len(all) > 0 {
		l.t.Fatalf("the log complains:\n%s", strings.Join(all, "\n"))
	}
}

// stop asks the daemon to stop.
func (l *life) stop() {
	l.t.Helper()
	if err := l.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		l.t.Fatal(err)
	}
	select {
	case <-l.over:
	case <-time.After(patience):
		l.t.Fatalf("asked to stop, the daemon goes on:\n%s", l.log.String())
	}
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		l.t.Errorf("asked to stop, the daemon ended with %v:\n%s", l.cmd.ProcessState, l.log.String())
	}
	l.quiet()
}

// keepLog writes the log of a failed test into the folder that NIGHTJAR_DAYS_LOGS names.
func (l *life) keepLog() {
	if dir := os.Getenv("NIGHTJAR_DAYS_LOGS"); dir != "" && l.t.Failed() {
		name := filepath.Join(dir, strings.ReplaceAll(l.t.Name(), "/", "-")+".log")
		if err := os.WriteFile(name, []byte(l.log.String()), 0o600); err != nil {
			l.t.Error(err)
		}
	}
}
