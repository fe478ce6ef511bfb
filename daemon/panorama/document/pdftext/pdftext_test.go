package pdftext

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

var smallPages = [][]pdftest.Line{
	{{X: 90, Y: 700, Size: 20, Text: "Bats at Dusk"}, {X: 90, Y: 660, Size: 10, Text: "They hunt (and sleep) in old trees."}},
	{{X: 90, Y: 700, Size: 10, Text: "On the second page there is more."}},
}

func small() []byte { return pdftest.Write(smallPages, "") }

func TestLines(t *testing.T) {
	r, err := Lines(t.Context(), small())
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r)
}

// holds fails the test unless the lines are those of small.
func holds(t *testing.T, r Result) {
	t.Helper()
	want := []Line{
		{1, "Bats at Dusk", 90, 700, 20}, {1, "They hunt (and sleep) in old trees.", 90, 660, 10},
		{2, "On the second page there is more.", 90, 700, 10},
	}
	if len(r.Lines) != len(want) || r.Pages != 2 || r.Partial || r.Missing != 0 {
		t.Fatalf("%+v", r)
	}
	for i := range want {
		if r.Lines[i] != want[i] {
			t.Errorf("line %d: %+v, want %+v", i, r.Lines[i], want[i])
		}
	}
}

// The widths of letters are in another place when their codes have two bytes. Without them each letter is a word.
func TestCompositeFont(t *testing.T) {
	r, err := Lines(t.Context(), pdftest.WriteCID(smallPages))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r)
}

func TestProblems(t *testing.T) {
	whole := small()
	for name, c := range map[string]struct {
		body []byte
		want error
	}{
		"cut off":   {whole[:len(whole)/2], ErrBroken},
		"no PDF":    {[]byte("%PDF-1.4\nnothing else"), ErrBroken},
		"no text":   {pdftest.Write([][]pdftest.Line{{}}, ""), ErrNoText},
		"no pages":  {pdftest.Write(nil, ""), ErrBroken},
		"encrypted": {pdftest.Write([][]pdftest.Line{{}}, "/Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 >> /ID [(a) (b)] "), ErrEncrypted},
	} {
		if _, err := Lines(t.Context(), c.body); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestReaderIsKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Lines(ctx, small()); !errors.Is(err, context.Canceled) && !errors.Is(err, ErrStart) {
		t.Errorf("cancelled: %v", err)
	}
	// A page that is above itself: the library follows it for ever.
	loop := regexp.MustCompile(`/Parent \d+ 0 R`).ReplaceAll(small(), []byte("/Parent 4 0 R"))
	loop = bytes.ReplaceAll(loop, []byte("/Resources"), []byte("/Lost"))
	ctx, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Lines(ctx, loop); err == nil {
		t.Error("a page above itself was read")
	}
}

func TestAccents(t *testing.T) {
	for in, want := range map[string]string{"Sch¨olkopf": "Scho\u0308lkopf", "na¨ıve": "nai\u0308ve", "plain": "plain", "a ´ 5": "a ´ 5"} {
		if got := accents(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSpaceGlyph(t *testing.T) {
	var row []glyph
	x := 0.0
	for _, r := range "inΩthe" {
		w := 5.0
		if r == 'Ω' {
			w = 3
		}
		row = append(row, glyph{s: string(r), x: x, w: w, size: 10})
		x += w
	}
	if l, _ := line(row, 1); l.Text != "in the" {
		t.Errorf("%q", l.Text)
	}
	if l, _ := line([]glyph{{s: "α", w: 3, size: 10}, {s: "Ω", x: 3, w: 3, size: 10}}, 1); l.Text != "αΩ" {
		t.Errorf("Greek: %q", l.Text)
	}
}

// FuzzLines: whatever the bytes are, the reader answers with lines or an error of this package.
func FuzzLines(f *testing.F) {
	f.Add(small()[len("%PDF-1.4\n"):])
	f.Add(pdftest.WriteCID(smallPages)[len("%PDF-1.4\n"):])
	f.Fuzz(func(t *testing.T, body []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := Lines(ctx, append([]byte("%PDF-1.4\n"), body...))
		for _, known := range []error{nil, ErrEncrypted, ErrBroken, ErrNoText, ErrTooMuch, ErrSlow} {
			if errors.Is(err, known) {
				return
			}
		}
		t.Errorf("%v", err)
	})
}

// FuzzJoin: lines of any glyphs have text.
func FuzzJoin(f *testing.F) {
	f.Add("Bats at Dusk hunt Ω in old trees ¨o")
	f.Fuzz(func(t *testing.T, s string) {
		var glyphs []glyph
		for i, r := range s {
			glyphs = append(glyphs, glyph{s: string(r), x: float64(i%70) * 5, y: float64(i / 70), w: float64(r % 7), size: float64(1 + r%20)})
		}
		for _, l := range join(glyphs, 1) {
			if l.Text == "" || l.Size == 0 && strings.TrimSpace(l.Text) != "" {
				t.Errorf("%+v", l)
			}
		}
	})
}
