package kills

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"nightjar/daemon/lab/alone"
	"nightjar/daemon/lab/cluster"
)

// patience is how long anything may take before a test fails. It is no limit of the program.
const patience = 3 * time.Minute

// kills is how often a test ends the program at each place: once in CI, NIGHTJAR_KILLS times if that is set.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("NIGHTJAR_KILLS")); err == nil && n > 0 {
		return n
	}
	return 1
}

// program is the path of the whole program, built once with failpoints. NIGHTJAR_KILLS_PROGRAM may name one that is built already.
var program = sync.OnceValues(func() (string, error) {
	if name := os.Getenv("NIGHTJAR_KILLS_PROGRAM"); name != "" {
		return name, nil
	}
	dir, err := os.MkdirTemp("", "nightjar-kills-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "nightjar")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-tags", "failpoints", "-o", name, root+"/daemon").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w: %s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	if cluster.Serve() {
		return
	}
	os.Exit(alone.Tests(m).Run())
}

// life is one run of the program.
type life struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   *buffer
	log   string // file with the failpoints that it came to
	over  chan struct{}
	login string // one-time link to the dashboard
	addr  string // ADDR:PORT
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

// plan says where the program is ended; the zero plan is nowhere.
type plan struct {
	place string
	pass  int    // from 1; how often it must come to place
	term  bool   // it is asked to stop instead, and goes on
	after string // passes count only from when this file is there, unless it is ""
	wait  string // it waits at place until this file is there, unless it is ""
}

// at ends the program when it comes to a place for the pass-th time.
func at(place string, pass int) plan {
	if place == atRandom {
		return plan{}
	}
	return plan{place: place, pass: pass}
}

// env is what package failpoint reads.
func (p plan) env() []string {
	text := ""
	if p.place != "" {
		text = fmt.Sprintf("%s:%d", p.place, p.pass)
	}
	if p.term {
		text += ":term"
	}
	if p.wait != "" {
		text += ":wait"
	}
	return []string{"NIGHTJAR_FAILPOINT=" + text, "NIGHTJAR_FAILPOINT_AFTER=" + p.after, "NIGHTJAR_FAILPOINT_GO=" + p.wait}
}

// run starts the program with arguments.
func run(t *testing.T, p plan, args ...string) *life {
	t.Helper()
	return runIn(t, "", p, args...)
}

// runIn is run in a network namespace, "" for that of the test.
func runIn(t *testing.T, namespace string, p plan, args ...string) *life {
	t.Helper()
	name, err := program()
	if err != nil {
		t.Fatal(err)
	}
	l := &life{t: t, out: &buffer{}, over: make(chan struct{}), log: filepath.Join(t.TempDir(), "passed")}
	if args = append([]string{name}, args...); namespace != "" {
		args = append([]string{"ip", "netns", "exec", namespace}, args...) // which becomes the program
	}
	l.cmd = exec.Command(args[0], args[1:]...)
	l.cmd.Env = append(append(os.Environ(), p.env()...), "NIGHTJAR_FAILPOINT_LOG="+l.log)
	l.cmd.Stdout, l.cmd.Stderr = l.out, l.out
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = l.cmd.Wait() // how it ended is in ProcessState
		close(l.over)
	}()
	t.Cleanup(l.kill)
	return l
}

// serve starts the daemon on a data folder.
func serve(t *testing.T, p plan, data string, more ...string) *life {
	t.Helper()
	return run(t, p, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data}, more...)...)
}

var whereItIs = regexp.MustCompile(`(?s)(http://\S+/login\S+).*ws://(\S+)/ws`)

// ready waits until the daemon says where it is. It returns false if the daemon was ended before.
func (l *life) ready() bool {
	l.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if found := whereItIs.FindStringSubmatch(l.out.String()); found != nil {
			l.login, l.addr = found[1], found[2]
			return true
		}
		select {
		case <-l.over:
			if !l.killed() {
				l.t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
			}
			return false
		default:
		}
	}
	l.t.Fatalf("the program does not say where it is:\n%s", l.out)
	return false
}

// mustServe starts the daemon, which must not be ended.
func mustServe(t *testing.T, data string, more ...string) *life {
	t.Helper()
	l := serve(t, plan{}, data, more...)
	if !l.ready() {
		t.Fatalf("the program was killed by something else:\n%s", l.out)
	}
	return l
}

// end waits until the program has ended.
func (l *life) end() {
	l.t.Helper()
	select {
	case <-l.over:
	case <-time.After(patience):
		l.t.Fatalf("the program did not end:\n%s", l.out)
	}
}

// dies waits until the program has ended, which must be by the failpoint.
func (l *life) dies() {
	l.t.Helper()
	l.end()
	if !l.killed() {
		l.t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
	}
}

// killed reports whether the program, which has ended, was ended by SIGKILL.
func (l *life) killed() bool {
	status, ok := l.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// alive reports whether the program still runs.
func (l *life) alive() bool {
	select {
	case <-l.over:
		return false
	default:
		return true
	}
}

// kill ends the program by SIGKILL, if it still runs.
func (l *life) kill() {
	if err := l.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		l.t.Error(err)
	}
	<-l.over
}

// stop asks the program to stop and returns how long that took. It must end without an error.
func (l *life) stop() time.Duration {
	l.t.Helper()
	begin := time.Now()
	if err := l.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		l.t.Fatal(err)
	}
	l.end()
	if code := l.cmd.ProcessState.ExitCode(); code != 0 {
		l.t.Errorf("asked to stop, the program ended with %v:\n%s", l.cmd.ProcessState, l.out)
	}
	return time.Since(begin)
}

// within is a context for one step of a test.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// mustWrite makes an empty file.
func mustWrite(t *testing.T, name string) {
	t.Helper()
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// wait calls ok until it is true.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for begin := time.Now(); !ok(); time.Sleep(pause(begin)) {
		if time.Since(begin) > patience {
			t.Fatalf("%s: not after %v", what, patience)
		}
	}
}

// pause is the time until the next look at what the program does. The longer a test has waited, the longer it is: most looks open
// the program's database, and a hundred of them a second take as much of a processor as the program.
func pause(begin time.Time) time.Duration {
	return min(5*time.Millisecond+time.Since(begin)/50, 100*time.Millisecond)
}
