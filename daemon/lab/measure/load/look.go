package load

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

// answer is what the daemon's process says to a line of its standard input: after an empty one, how many goroutines it has and
// how many bytes the last garbage collection left; after a path, that it wrote goroutines and heap to files there.
func answer(line string) string {
	if line != "" {
		if err := write(line); err != nil {
			return "looked " + err.Error()
		}
		return "looked"
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return fmt.Sprintf("goroutines %d %d", runtime.NumGoroutine(), live[0].Value.Uint64())
}

// write writes the goroutines by their stacks as text, and a profile of the heap.
func write(path string) error {
	runtime.GC() // so that the profile has what is in use
	for name, debug := range map[string]int{"goroutine": 1, "heap": 0} {
		out, err := os.Create(path + "." + name)
		if err != nil {
			return err
		}
		if err := pprof.Lookup(name).WriteTo(out, debug); err != nil {
			_ = out.Close() // it is of no use
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
	return nil
}

// look is what the process holds at a moment.
type look struct {
	Second      float64
	Goroutines  map[string]int // by the function of the program that they are in
	Descriptors map[string]int // by kind: socket, pipe, or the name of a file
}

// lookAll looks at a fifth and at four fifths of the steady load.
func (l *lab) lookAll(ctx context.Context) error {
	for i, part := range []float64{.2, .8} {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(l.began.Add(time.Duration(part * float64(l.ended.Sub(l.began)))))):
		}
		path := filepath.Join(l.o.Looks, fmt.Sprintf("look-%d", i+1))
		now, err := l.daemon.look(path, l.began)
		if err != nil {
			return fmt.Errorf("look at the process: %w", err)
		}
		l.looks = append(l.looks, now)
	}
	return nil
}

func (d *daemon) look(path string, since time.Time) (look, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := look{Second: time.Since(since).Seconds(), Descriptors: map[string]int{}}
	all, err := d.descriptors()
	if err != nil {
		return now, err
	}
	for _, name := range all {
		now.Descriptors[kindOf(name)]++
	}
	if _, err := io.WriteString(d.in, path+"\n"); err != nil {
		return now, err
	}
	select {
	case failed := <-d.looked:
		if failed != "" {
			return now, fmt.Errorf("the daemon's process cannot: %s", failed)
		}
	case <-time.After(time.Minute):
		return now, fmt.Errorf("the daemon's process does not answer")
	}
	text, err := os.ReadFile(path + ".goroutine")
	now.Goroutines = goroutinesOf(string(text))
	return now, err
}

// descriptors lists what the open descriptors of the process lead to. One that is closed meanwhile is left out.
func (d *daemon) descriptors() (all []string, err error) {
	dir := filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "fd")
	open, err := os.ReadDir(dir)
	for _, e := range open {
		if name, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil {
			all = append(all, name)
		}
	}
	return all, err
}

// kindOf returns the kind of what a descriptor leads to, such as socket for socket:[4711].
func kindOf(name string) string {
	if kind, _, ok := strings.Cut(name, ":["); ok {
		return kind
	}
	return filepath.Base(name)
}

var (
	goroutinesLine = regexp.MustCompile(`^(\d+) @ `)
	functionLine   = regexp.MustCompile(`^#\s+0x[0-9a-f]+\s+(nightjar/[^+\s]+)`)
)

// goroutinesOf counts the goroutines of a profile as text by the innermost function of this program on their stacks.
func goroutinesOf(text string) map[string]int {
	all, n, place := map[string]int{}, 0, ""
	for line := range strings.Lines(text + "\n0 @ ") {
		if m := goroutinesLine.FindStringSubmatch(line); m != nil {
			if n > 0 {
				all[cmp.Or(place, "elsewhere")] += n
			}
			n, _ = strconv.Atoi(m[1]) // digits
			place = ""
		} else if m := functionLine.FindStringSubmatch(line); m != nil && place == "" {
			place = strings.TrimPrefix(m[1], "nightjar/")
		}
	}
	return all
}

// grown lists what the process held more or less of at the second look, the largest differences first.
func grown(title string, before, after map[string]int) devtool.Table {
	type row struct {
		name     string
		from, to int
	}
	var rows []row
	for name, n := range after {
		rows = append(rows, row{name, before[name], n})
	}
	for name, n := range before {
		if _, known := after[name]; !known {
			rows = append(rows, row{name, n, 0})
		}
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.from == r.to })
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(max(b.to-b.from, b.from-b.to)-max(a.to-a.from, a.from-a.to), strings.Compare(a.name, b.name))
	})
	t := devtool.Table{Title: title, Rows: [][]string{{"", "first look", "second look"}}}
	for _, r := range rows[:min(len(rows), 20)] {
		t.Add(r.name, r.from, r.to)
	}
	return t
}
