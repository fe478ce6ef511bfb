package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
)

// scratch is a scratch file in memory.
type scratch struct{ bytes.Buffer }

func (s *scratch) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(s.Bytes()).ReadAt(p, at)
}

// checked reads a session file and returns its admitted events.
func checked(tb testing.TB, file string) (events []Event, lines []int, err error) {
	tb.Helper()
	c, err := Check(tb.Context(), strings.NewReader(file), &scratch{})
	if err != nil {
		return nil, nil, err
	}
	for l, err := range c.All() {
		if err != nil {
			tb.Fatal(err)
		}
		events, lines = append(events, l.Event), append(lines, l.Number)
	}
	return events, lines, nil
}

// Events come out as AdmitAll gives them, in order of their numbers, each once.
func TestCheck(t *testing.T) {
	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/?access_token=canary", "Ice", protocol.HowTyped, "")
	snapshot, asks, submit := m.Snapshot(v.Page, []byte("<title>Ice</title>")), m.Snapshot(v.Page, []byte("<input type=password>")), m.Event(protocol.Submit)
	file := strings.Join([]string{line(t, snapshot), line(t, start), "", line(t, v), line(t, v), line(t, asks), line(t, submit)}, "\n")
	got, lines, err := checked(t, file)
	want, refused := AdmitAll([]protocol.Event{start, v, snapshot, asks, submit})
	if err != nil || len(refused) > 0 || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(lines, []int{2, 4, 1, 6, 7}) {
		t.Errorf("got %+v in lines %v, %v", got, lines, err)
	}
	c, err := Check(t.Context(), strings.NewReader(file), &scratch{})
	if err != nil || !reflect.DeepEqual(c.Sessions(), []string{m.Session}) || c.LastSubmit()[m.Session] != submit.Seq {
		t.Errorf("%+v, %v", c, err)
	}
}

// orders are files of which the line at the start of want is wrong.
func orders(tb testing.TB) map[string]struct{ file, want string } {
	m, other := maker(1), maker(2)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	again, late, foreign, same := m.Start("Hockey"), m.Visit("http://ice.test/2", "", protocol.HowTyped, ""), m.Event(protocol.SessionPause), m.Visit("http://ice.test/3", "", protocol.HowTyped, "")
	early := v
	early.Seq = start.Seq
	start.Seq++
	v.Seq += 2
	same.Seq = v.Seq
	foreign.Client = other.Client
	late.Seq = 90
	read := m.Snapshot(late.Page, []byte("x"))
	read.Seq = v.Seq // of another page load
	long := m.Visit("http://ice.test/"+strings.Repeat("a", 4000), "", protocol.HowTyped, "")
	join := func(events ...protocol.Event) string {
		var b strings.Builder
		for _, e := range events {
			b.WriteString(line(tb, e) + "\n")
		}
		return b.String()
	}
	return map[string]struct{ file, want string }{
		"repeated number":            {join(start, v, same), fmt.Sprintf("line 3: number %d is used by another event of the session, in line 2", v.Seq)},
		"number of another page":     {join(start, v, late, read), fmt.Sprintf("number %d is used by another event of the session, in line", v.Seq)},
		"before the start":           {join(early, start), "line 1: number 1 comes before the start of the session, which has number 2 in line 2"},
		"started twice":              {join(start, v, again), "line 3: session " + m.Session + " was already started, in line 1"},
		"of another browser":         {join(start, v, foreign), "line 3: the session was started by another browser, in line 1"},
		"two browsers, no start":     {join(v, foreign), "the session is of another browser in line"},
		"an address that is refused": {join(start, v, long), "line 3: url: address longer than"},
		"line of the wire format":    {join(start) + "{}\n", "line 2: unknown version 0"},
	}
}

func TestCheckNamesTheLine(t *testing.T) {
	for name, c := range orders(t) {
		_, _, err := checked(t, c.file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
		if wrong, ok := errors.AsType[*LineError](err); !ok || wrong.Line < 1 {
			t.Errorf("%s: the error %v has no line", name, err)
		}
	}
	if _, _, err := checked(t, "\n \n"); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, strings.NewReader("{}"), &scratch{}); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

// Numbers may be missing, the text of a PDF has the number of its visit, and sessions of one browser may share numbers.
func TestCheckTakes(t *testing.T) {
	m := maker(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/a.pdf", "", protocol.HowTyped, "")
	m.Seq += 100
	read := m.Snapshot(v.Page, []byte("text"))
	read.Seq = v.Seq
	second := maker(2)
	second.Client = m.Client
	file := line(t, start) + "\n" + line(t, v) + "\n" + line(t, read) + "\n" + line(t, m.Event(protocol.Submit)) + "\n" + line(t, second.Start("Curling")) + "\n"
	if events, _, err := checked(t, file); err != nil || len(events) != 5 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// endless is a line that never ends. It counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

// A line of any length takes little memory, since reading stops: all that is allocated is less than 64 MB.
func TestCheckLongLine(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := &endless{}
	_, err := Check(t.Context(), r, &scratch{})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "line 1: longer than") || r.read > 2*protocol.MaxMessage {
		t.Errorf("%v after %d bytes", err, r.read)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// generated is a session file of a size, made while it is read. It notes how much memory is in use after each 4 MB.
type generated struct {
	*sessiontest.Maker
	tb       testing.TB
	rng      *rand.Rand
	ready    bytes.Buffer
	left     int
	measured int
	peak     uint64
}

func (g *generated) Read(p []byte) (int, error) {
	if g.ready.Len() == 0 {
		if g.left <= 0 {
			return 0, io.EOF
		}
		html := []byte("<title>A page</title><p>")
		for range 8000 {
			html = append(html, "abcdefghijklmnopqrstuvwxyz0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ"[g.rng.IntN(63)])
		}
		v := g.Visit("http://ice.test/"+strconv.Itoa(g.left), "A page", protocol.HowTyped, "")
		g.ready.WriteString(line(g.tb, v) + "\n" + line(g.tb, g.Snapshot(v.Page, html)) + "\n")
		g.left -= g.ready.Len()
		if g.measured -= g.ready.Len(); g.measured <= 0 {
			g.measured = 4 << 20
			runtime.GC()
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			g.peak = max(g.peak, now.HeapAlloc)
		}
	}
	return g.ready.Read(p)
}

// A large file takes little memory: less than 64 MB are in use at any time. NIGHTJAR_IMPORT_MB sets the size of the file.
func TestCheckLargeFile(t *testing.T) {
	size := 5
	if text := os.Getenv("NIGHTJAR_IMPORT_MB"); text != "" {
		var err error
		if size, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(t.TempDir() + "/scratch")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := &generated{Maker: maker(1), tb: t, rng: rand.New(rand.NewPCG(1, 2)), left: size << 20}
	g.ready.WriteString(line(t, g.Start("Hockey")) + "\n")
	c, err := Check(t.Context(), g, f)
	if err != nil || len(c.entries) < 150*size {
		t.Fatalf("%v, %v", c, err)
	}
	t.Logf("%d MB, %d events: at most %.1f MB in use", size, len(c.entries), float64(g.peak)/(1<<20))
	if g.peak > 64<<20 {
		t.Errorf("%d bytes were in use", g.peak)
	}
}

// FuzzCheck: whatever a file holds, it is refused with a line, or its events are those that Read gives, admitted and in order.
func FuzzCheck(f *testing.F) {
	m := maker(1)
	v := m.Visit("http://ice.test/", "x", protocol.HowTyped, "")
	var file bytes.Buffer
	if err := Write(&file, []protocol.Event{m.Start("Hockey"), v, m.Snapshot(v.Page, []byte("<a href=/>x</a>")), m.Event(protocol.Submit)}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	for _, c := range orders(f) {
		f.Add([]byte(c.file))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		events, _, err := checked(t, string(data))
		if err != nil {
			if _, ok := errors.AsType[*LineError](err); !ok && !errors.Is(err, ErrEmpty) {
				t.Errorf("the error %v has no line", err)
			}
			return
		}
		read, err := Read(bytes.NewReader(data))
		admitted, refused := AdmitAll(read)
		if err != nil || len(refused) > 0 || len(admitted) != len(events) {
			t.Fatalf("read %d, admitted %d, refused %v, checked %d, %v", len(read), len(admitted), refused, len(events), err)
		}
		byID := map[string]Event{}
		for _, e := range admitted {
			byID[e.ID] = e
		}
		for i, e := range events {
			if !reflect.DeepEqual(byID[e.ID], e) {
				t.Errorf("event %s changed: %+v", e.ID, e)
			}
			if i > 0 && events[i-1].Client == e.Client && events[i-1].Seq > e.Seq {
				t.Errorf("event %s comes after number %d", e.ID, events[i-1].Seq)
			}
		}
	})
}
