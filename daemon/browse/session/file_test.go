package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
)

func maker(seed uint64) *sessiontest.Maker {
	return sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

func line(tb testing.TB, e protocol.Event) string {
	tb.Helper()
	data, err := json.Marshal(e)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func TestWriteRead(t *testing.T) {
	m := maker(1)
	start, v := m.Start("Eishockey für Anfänger"), m.Visit("http://ice.test/", "a\u2028b", protocol.HowTyped, "")
	events := []protocol.Event{start, v, m.Snapshot(v.Page, bytes.Repeat([]byte("text "), 1000)), m.Of(protocol.Useful, v.Page, "")}
	var file bytes.Buffer
	if err := Write(&file, events); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(file.String(), "\n"); n != len(events) {
		t.Errorf("%d lines for %d events", n, len(events))
	}
	got, err := Read(&file)
	if err != nil || !reflect.DeepEqual(got, events) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestMarkedFile: a file that an editor saved with a byte order mark, and with the line ends of Windows, is read as any other; a mark at
// another place is refused.
func TestMarkedFile(t *testing.T) {
	m := maker(1)
	start, submit := line(t, m.Start("Hockey")), line(t, m.Event(protocol.Submit))
	for name, c := range map[string]struct {
		file string
		want int
	}{
		"mark":             {"\ufeff" + start + "\n" + submit + "\n", 2},
		"line ends":        {start + "\r\n" + submit + "\r\n", 2},
		"both":             {"\ufeff" + start + "\r\n\r\n" + submit, 2},
		"mark and no more": {"\ufeff", 0},
		"two marks":        {"\ufeff\ufeff" + start, 0},
		"mark later":       {start + "\n\ufeff" + submit, 0},
	} {
		events, err := Read(strings.NewReader(c.file))
		if len(events) != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%s: Read: %d events, %v", name, len(events), err)
		}
		admitted, _, err := checked(t, c.file)
		if len(admitted) != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%s: Check: %d events, %v", name, len(admitted), err)
		}
	}
}

func TestReadNamesTheLine(t *testing.T) {
	m := maker(1)
	start, visit, last := line(t, m.Start("Hockey")), m.Visit("http://ice.test/", "", protocol.HowTyped, ""), line(t, m.Event(protocol.Submit))
	good := line(t, visit)
	other := visit
	other.Title = "another"
	for name, c := range map[string]struct{ file, want string }{
		"broken":           {start + "\n" + good[:40] + "\n" + last, "line 2: "},
		"cut short":        {start + "\n" + good + "\n" + last[:len(last)-3], "line 3: "},
		"comment":          {"# a session\n" + start, "line 1: not a JSON object"},
		"comment later":    {start + "\n#\n" + last, "line 2: not a JSON object"},
		"type":             {start + "\n\n" + strings.Replace(last, "submit", "scroll", 1), `line 3: unknown event type "scroll"`},
		"version":          {strings.Replace(start, `"v":1`, `"v":2`, 1), "line 1: unknown version 2 of the wire format"},
		"unknown field":    {strings.Replace(start, `"v":1`, `"v":1,"x":2`, 1), "line 1: unknown field"},
		"field missing":    {strings.Replace(start, `,"topic":"Hockey"`, "", 1), "line 1: session.start needs topic"},
		"two on a line":    {start + last, "line 1: not a JSON object: something follows"},
		"same id, another": {start + "\n" + good + "\n" + last + "\n" + line(t, other), "line 4: event id " + visit.ID},
		"too long":         {start + "\n" + strings.Repeat("x", protocol.MaxMessage+10), "line 2: longer than"},
		"not UTF-8 at all": {"\xff\xfe{\x00}\x00", "line 1: not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := Read(strings.NewReader(c.file))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || events != nil {
				t.Errorf("%d events, %.200v; want %q and no events", len(events), err, c.want)
			}
			if err != nil && protocol.CodeOf(err) == "" {
				t.Error("the error has no code")
			}
		})
	}
	for name, file := range map[string]string{"empty": "", "blank": " \n\n"} {
		if _, err := Read(strings.NewReader(file)); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v, want ErrEmpty", name, err)
		}
	}
}

func TestReadTakes(t *testing.T) {
	m := maker(1)
	start, last := line(t, m.Start("Hockey")), line(t, m.Event(protocol.Submit))
	for name, file := range map[string]string{
		"no line end":   start + "\n" + last,
		"CR LF":         start + "\r\n" + last + "\r\n",
		"blank lines":   "\n" + start + "\n\n  \n" + last + "\n\n",
		"twice":         start + "\n" + last + "\n" + start + "\n",
		"other spacing": start + "\n" + last + "\n" + strings.ReplaceAll(start, `,"`, ` , "`),
	} {
		if events, err := Read(strings.NewReader(file)); err != nil || len(events) != 2 {
			t.Errorf("%s: %d events, %v", name, len(events), err)
		}
	}
}

// A line of nearly 8 MiB is read: random bytes as HTML do not compress.
func TestReadLongLine(t *testing.T) {
	m := maker(1)
	v := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	var html strings.Builder
	for i := 0; html.Len() < protocol.MaxHTML-100; i++ {
		fmt.Fprintf(&html, "%x", uint64(i)*0x9e3779b97f4a7c15)
	}
	long := line(t, m.Snapshot(v.Page, []byte(html.String())))
	if len(long) < 1<<20 {
		t.Fatalf("the line has only %d bytes", len(long))
	}
	if events, err := Read(strings.NewReader(line(t, m.Start("x")) + "\n" + long)); err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func FuzzRead(f *testing.F) {
	m := maker(1)
	v := m.Visit("http://ice.test/", "x", protocol.HowTyped, "")
	var file bytes.Buffer
	if err := Write(&file, []protocol.Event{m.Start("Hockey"), v, m.Snapshot(v.Page, []byte("<a href=/>x</a>")), m.Of(protocol.Useful, v.Page, "")}); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("# comment\n"))
	f.Add([]byte(`{"v":1}` + "\n" + `{"v":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := Read(bytes.NewReader(data))
		if err != nil {
			if events != nil {
				t.Error("events beside an error")
			}
			return
		}
		var out bytes.Buffer
		if err := Write(&out, events); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out)
		if err != nil || !reflect.DeepEqual(events, again) {
			t.Errorf("written and read again: %v", err)
		}
		if all, err := Fold(events); err == nil {
			for _, r := range all { // whatever was let in can be folded and looked at
				r.Loads()
				r.EntryPages()
			}
		}
	})
}
