package model

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"nightjar/model/webgraph"
)

// lessonSet is a session whose pages link to each other and elsewhere, with background pages; one page holds no word.
func lessonSet() TrainingSet {
	set := session(40, 7)
	set.Pages[7].Text = "2026"
	set.Background = []string{"stocks and bonds of the university", "", "recipes: rink cake, puck soup, stocks"}
	for _, e := range set.Edges {
		set.Pages[e[0]].Links = append(set.Pages[e[0]].Links,
			Link{To: e[1], Link: webgraph.Link{URL: set.Pages[e[1]].URL, Anchor: "to " + set.Pages[e[1]].Title, Around: "here", Heading: "Pages", Path: "ul>li"}},
			Link{To: -1, Link: webgraph.Link{URL: set.Pages[e[1]].URL + "/more", Anchor: "more"}})
	}
	return set
}

func mustLearn(tb testing.TB, set TrainingSet) *Training {
	tb.Helper()
	t, err := Learn(context.Background(), set, DefaultSettings(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestLessonsAreWhatTrainingUsed: the rows made from the lessons of a stored model are those that its classifiers were
// fitted to, of the session's pages and of the background.
func TestLessonsAreWhatTrainingUsed(t *testing.T) {
	set := lessonSet()
	trained := mustLearn(t, set)
	b, err := Decode(mustEncode(t, trained.Bundle()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.Lessons, trained.Bundle().Lessons; !reflect.DeepEqual(got, want) {
		t.Errorf("decoded, the lessons are %+v\nbefore %+v", got, want)
	}
	if len(b.Lessons.Pages) != len(set.Pages) || len(b.Lessons.Background) != len(set.Background) {
		t.Fatalf("lessons of %d pages and %d of background, want %d and %d", len(b.Lessons.Pages), len(b.Lessons.Background), len(set.Pages), len(set.Background))
	}
	for i, w := range slices.Concat(b.Lessons.Pages, b.Lessons.Background) {
		got, want := b.Features.Row(w), trained.rows[i]
		if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Value, want.Value) {
			t.Errorf("row %d: %v, training used %v", i, got, want)
		}
		text := slices.Concat(texts(set), set.Background)[i]
		if read := b.Words(text); !slices.Equal(read.Index, w.Index) || !slices.Equal(read.Count, w.Count) {
			t.Errorf("the words of text %d are %v, its lesson has %v", i, read, w)
		}
	}
	if w := b.Lessons.Pages[7]; len(w.Index) != 0 {
		t.Errorf("a page without words has %v", w)
	}
	if got := mustReport(t, trained.Bundle(), &Report{Choice: defaultChoice()}).Lessons; !reflect.DeepEqual(got, trained.Bundle().Lessons) {
		t.Error("a bundle loses its lessons with its report")
	}
}

func texts(set TrainingSet) []string {
	var all []string
	for _, p := range set.Pages {
		all = append(all, p.Text)
	}
	return all
}

// TestWords counts by hand: stems, in the order of the features, and nothing that is no feature.
func TestWords(t *testing.T) {
	b := tiny()
	for text, want := range map[string]Words{
		"A rink; two rinks, HOCKEY! Puck.": {Index: []int32{0, 1}, Count: []int32{1, 2}},
		"rink":                             {Index: []int32{1}, Count: []int32{1}},
		"puck 17":                          {},
		"":                                 {},
	} {
		if got := b.Words(text); !reflect.DeepEqual(got, want) {
			t.Errorf("the words of %q are %v, want %v", text, got, want)
		}
	}
	r := b.Features.Row(Words{Index: []int32{0, 1}, Count: []int32{1, 2}})
	x, y := 1.0, (1+math.Log(2))*1.5
	for i, want := range []float64{x / math.Hypot(x, y), y / math.Hypot(x, y)} {
		if got := float64(r.Value[i]); math.Abs(got-want) > 1e-6 { // float32 holds 7 digits
			t.Errorf("weight %d is %g, want %g", i, got, want)
		}
	}
}

// TestLinkLessons: links to visited pages come before all others, the others in turns of the pages.
func TestLinkLessons(t *testing.T) {
	page := func(name string, to ...int) (p Page) {
		for i, to := range to {
			p.Links = append(p.Links, Link{To: to, Link: webgraph.Link{URL: fmt.Sprint(name, i), Path: name}})
		}
		return p
	}
	pages := []Page{page("a", -1, -1, -1, 1, -1), {}, page("c", -1, 0, -1, 1)}
	for most, want := range map[int]string{
		0: "", 1: "a3>1", 2: "a3>1 c1>0", 3: "a3>1 c1>0 c3>1",
		4:   "a3>1 a0>-1 c1>0 c3>1",
		5:   "a3>1 a0>-1 c1>0 c3>1 c0>-1",
		6:   "a3>1 a0>-1 a1>-1 c1>0 c3>1 c0>-1",
		100: "a3>1 a0>-1 a1>-1 a2>-1 a4>-1 c1>0 c3>1 c0>-1 c2>-1",
	} {
		var got []string
		for _, l := range linkLessons(pages, most) {
			got = append(got, fmt.Sprintf("%s>%d", l.URL, l.To))
			if pages[l.From].Links[0].Path != l.Path {
				t.Errorf("%+v is not of page %d", l, l.From)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("of at most %d links are kept %q\nwant %q", most, s, want)
		}
	}
}

// TestLessonsLimit: a page with more links than a model keeps leaves room for the other pages'.
func TestLessonsLimit(t *testing.T) {
	set := lessonSet()
	many := set.Pages[3].Links
	for i := range maxLinkLessons + 50 {
		many = append(many, Link{To: -1, Link: webgraph.Link{URL: fmt.Sprintf("https://many.test/%d", i)}})
	}
	set.Pages[3].Links = many
	links := mustLearn(t, set).Bundle().Lessons.Links
	perPage := make([]int, len(set.Pages))
	for _, l := range links {
		perPage[l.From]++
	}
	if len(links) != maxLinkLessons {
		t.Errorf("%d links are kept, want %d", len(links), maxLinkLessons)
	}
	for i, p := range set.Pages {
		if i != 3 && perPage[i] != len(p.Links) {
			t.Errorf("of page %d %d links are kept, it has %d", i, perPage[i], len(p.Links))
		}
	}
}

// TestLessonsRefused breaks each thing that readers of the lessons rely on.
func TestLessonsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Lessons){
		"a page missing":           func(l *Lessons) { l.Pages = l.Pages[:1] },
		"a page too many":          func(l *Lessons) { l.Pages = append(l.Pages, Words{}) },
		"no such feature":          func(l *Lessons) { l.Pages[0].Index[1] = 2 },
		"no such background":       func(l *Lessons) { l.Background[0].Index[0] = 2 },
		"a feature below 0":        func(l *Lessons) { l.Pages[0].Index[0] = -1 },
		"features out of order":    func(l *Lessons) { slices.Reverse(l.Pages[0].Index) },
		"a feature twice":          func(l *Lessons) { l.Pages[0].Index[1] = 0 },
		"a count of 0":             func(l *Lessons) { l.Pages[0].Count[0] = 0 },
		"a count below 0":          func(l *Lessons) { l.Background[0].Count[0] = math.MinInt32 },
		"a link from nowhere":      func(l *Lessons) { l.Links[0].From = 2 },
		"a link from before":       func(l *Lessons) { l.Links[0].From = -1 },
		"a link to nowhere":        func(l *Lessons) { l.Links[0].To = 2 },
		"a link to before":         func(l *Lessons) { l.Links[0].To = -2 },
		"more links than are kept": func(l *Lessons) { l.Links = slices.Repeat(l.Links, maxLinkLessons) },
		"more background":          func(l *Lessons) { l.Background = make([]Words, maxBackgroundLessons+1) },
	} {
		b := tiny()
		spoil(&b.Lessons)
		if _, err := b.Encode(); err == nil {
			t.Errorf("%s: encoded", name)
		}
		if got, err := Decode(unchecked(t, b)); got != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: decoded as %v, %v", name, got, err)
		}
	}
	b := tiny()
	b.Lessons.Pages[0].Count = b.Lessons.Pages[0].Count[:1] // this the format cannot even say
	if _, err := b.Encode(); err == nil {
		t.Error("a word without count: encoded")
	}
}

// TestDeflate: a section's content is the same whether it was worth deflating or not, and stored bytes that unpack to less,
// more or far more than they should are refused.
func TestDeflate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1<<16)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for name, content := range map[string][]byte{"empty": {}, "short": []byte("puck"), "long": bytes.Repeat([]byte("hockey rink "), 5000), "noise": noise} {
		stored, deflated := deflate(content)
		if want := name == "long" || name == "noise"; deflated != want || name == "long" && len(stored) > len(content)/20 {
			t.Errorf("%s: %d bytes take %d, deflated %v", name, len(content), len(stored), deflated)
		}
		got, err := stored, error(nil)
		if deflated {
			got, err = inflate(stored)
		}
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s: read as %.20q, %v", name, got, err)
		}
	}
	good, _ := deflate(bytes.Repeat([]byte("hockey rink "), 5000))
	for name, raw := range map[string][]byte{
		"nothing": nil, "not deflated": []byte("\x04puck"), "cut": good[:len(good)-1], "more": append(bytes.Clone(good), 0),
		"a bomb": mustDeflate(t, make([]byte, mostDeflated+1)),
	} {
		if got, err := inflate(raw); err == nil {
			t.Errorf("%s: read as %.20q", name, got)
		}
	}
}

// mustDeflate deflates content of any length.
func mustDeflate(t *testing.T, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLessonsAreSmall: of a session whose links say much, the lessons take less than half of what they hold.
func TestLessonsAreSmall(t *testing.T) {
	b := mustLearn(t, lessonSet()).Bundle()
	with := len(mustEncode(t, b))
	held := 0
	for _, l := range b.Lessons.Links {
		held += len(l.URL) + len(l.Anchor) + len(l.Around) + len(l.Heading) + len(l.Path)
	}
	for _, w := range b.Lessons.Pages {
		held += 8 * len(w.Index)
	}
	b.Lessons.Links, b.Lessons.Background = nil, nil
	clear(b.Lessons.Pages)
	if took := with - len(mustEncode(t, b)); took*2 > held {
		t.Errorf("lessons of %d bytes take %d", held, took)
	}
}
