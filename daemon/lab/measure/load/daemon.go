package load

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/cli"
	"nightjar/daemon/lab/verb"
)

// daemonSpec says how a process runs the program.
type daemonSpec struct {
	Args []string // of the program
}

// serve runs the program's own commands, and answers each line of standard input with how many goroutines the process has and how
// many bytes the last garbage collection left.
func serve(_ context.Context, env *command.Env, spec *daemonSpec) error {
	go func() {
		for lines := bufio.NewScanner(env.Stdin); lines.Scan(); {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(live)
			fmt.Fprintln(env.Stdout, "goroutines", runtime.NumGoroutine(), live[0].Value.Uint64())
		}
	}()
	if code := cli.Main(spec.Args); code != 0 {
		return fmt.Errorf("the program ended with code %d", code)
	}
	return nil
}

// daemon is a running daemon.
type daemon struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	login string // one-time link to the dashboard
	addr  string // ADDR:PORT
	data  string

	mu     sync.Mutex
	counts chan [2]int // goroutines, bytes in use
	ended  chan error
}

var linkLine, addrLine = regexp.MustCompile(`http://\S+/login\S+`), regexp.MustCompile(`ws://(\S+)/ws`)

// start starts the daemon on a data folder and waits until it serves.
func start(ctx context.Context, data string, log io.Writer, more ...string) (*daemon, error) {
	cmd, err := verb.Child{Log: log}.Command(ctx, "load daemon", daemonSpec{append([]string{"serve", "--as-root", "--data", data, "--listen", "127.0.0.1:0"}, more...)})
	if err != nil {
		return nil, err
	}
	d := &daemon{cmd: cmd, data: data, counts: make(chan [2]int, 1), ended: make(chan error, 1)}
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan struct{})
	go d.listen(out, ready)
	select {
	case <-ready:
		return d, nil
	case err := <-d.ended:
		return nil, fmt.Errorf("the daemon ended: %w", err)
	case <-time.After(2 * time.Minute):
		_ = d.cmd.Process.Kill() // it does not start
		return nil, fmt.Errorf("the daemon does not say where it is")
	}
}

// listen reads what the daemon prints.
func (d *daemon) listen(out io.Reader, ready chan<- struct{}) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		if n, ok := strings.CutPrefix(line, "goroutines "); ok {
			var count [2]int
			if _, err := fmt.Sscan(n, &count[0], &count[1]); err == nil {
				d.counts <- count
			}
			continue
		}
		if link := linkLine.FindString(line); link != "" {
			d.login = link
		}
		if m := addrLine.FindStringSubmatch(line); m != nil && d.addr == "" {
			d.addr = m[1]
			close(ready)
		}
	}
	d.ended <- d.cmd.Wait()
}

// stop ends the daemon as a person does, and waits for it.
func (d *daemon) stop() error {
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-d.ended
}

// sample is what the process had at a moment.
type sample struct {
	Second      float64
	RSS         float64 // MiB
	Live        float64 // MiB that the last garbage collection left
	Goroutines  int
	Descriptors int
	WAL         float64 // MiB
}

// sample reads what the process has now.
func (d *daemon) sample(since time.Time) (sample, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := sample{Second: time.Since(since).Seconds(), RSS: d.status("VmRSS")}
	if info, err := os.Stat(database(d.data) + "-wal"); err == nil {
		s.WAL = float64(info.Size()) / (1 << 20)
	}
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "fd"))
	if err != nil {
		return s, err
	}
	s.Descriptors = len(open)
	if _, err := io.WriteString(d.in, "\n"); err != nil {
		return s, err
	}
	select {
	case count := <-d.counts:
		s.Goroutines, s.Live = count[0], float64(count[1])/(1<<20)
		return s, nil
	case <-time.After(time.Minute):
		return s, fmt.Errorf("the daemon's process does not answer")
	}
}

// spent is the processor time of the process so far, in seconds. The kernel counts it in hundredths.
func (d *daemon) spent() float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "stat"))
	_, after, ok := strings.Cut(string(text), ") ") // the name before may have blanks
	f := strings.Fields(after)
	if err != nil || !ok || len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64) // the kernel writes numbers
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / 100
}

// status reads a line of /proc/PID/status in MiB.
func (d *daemon) status(name string) float64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name+":" {
			kib, _ := strconv.ParseFloat(f[1], 64) // the kernel writes a number
			return kib / 1024
		}
	}
	return 0
}
