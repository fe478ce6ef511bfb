package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func mustRead(tb testing.TB, name string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// sectionsOf are the stored sections of a bundle, to be changed and put together again by assemble.
func sectionsOf(t *testing.T, raw []byte) map[string]section {
	t.Helper()
	var all map[string]section
	if err := plain.Unmarshal(bodyOf(raw), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func assemble(t *testing.T, all map[string]section) []byte {
	t.Helper()
	body, err := encoding.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return sealed(FormatVersion, body)
}

// TestUnknownSectionsAreKept: what a newer program added to a model is in it still after this one read and wrote it.
func TestUnknownSectionsAreKept(t *testing.T) {
	all := sectionsOf(t, mustEncode(t, tiny()))
	all["paths"] = section{Version: 7, Deflated: true, Content: []byte("of a form that only the newer program knows")}
	all["concepts"] = section{}
	all["report"] = section{Version: 3, Content: []byte{0xff, 0}}
	raw := assemble(t, all)
	b, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if b.Report != nil || b.Choice != defaultChoice() {
		t.Errorf("a report of a newer version is read as %+v, chosen is %+v", b.Report, b.Choice)
	}
	if got, want := b.Observe("hockey puck"), tiny().Observe("hockey puck"); !reflect.DeepEqual(got, want) {
		t.Errorf("a page is read as %+v, want %+v", got, want)
	}
	if !bytes.Equal(mustEncode(t, b), raw) {
		t.Error("read and written, the bytes differ")
	}
	reported := sectionsOf(t, mustEncode(t, mustReport(t, b, tiny().Report)))
	if s := reported["report"]; s.Version != 2 || reported["paths"].Version != 7 || len(reported) != len(all) {
		t.Errorf("with a report of its own the model has the sections %+v", reported)
	}
	if s := sectionsOf(t, mustEncode(t, b))["report"]; s.Version != 3 {
		t.Errorf("the model without a report of its own has the section %+v", s)
	}
}

// TestSectionsThatScoringNeeds: a model without them, or with newer ones, is refused and says which.
func TestSectionsThatScoringNeeds(t *testing.T) {
	for _, k := range kinds {
		all := sectionsOf(t, mustEncode(t, full()))
		was := all[k.name]
		delete(all, k.name)
		b, err := Decode(assemble(t, all))
		if missing := errors.Is(err, ErrDamaged) && strings.Contains(err.Error(), "no section "+k.name); missing == k.optional || (b != nil) != k.optional {
			t.Errorf("without %s: %v, %v", k.name, b, err)
		}
		all[k.name] = section{Version: k.version() + 1, Content: was.Content}
		b, err = Decode(assemble(t, all))
		if newer := errors.Is(err, ErrNewerFormat) && strings.Contains(err.Error(), "its section "+k.name+" has version"); newer == k.optional || (b != nil) != k.optional {
			t.Errorf("with a newer %s: %v, %v", k.name, b, err)
		}
		for name, s := range map[string]section{
			"version 0":      {Content: was.Content},
			"nothing":        {Version: 1},
			"cut":            {Version: 1, Content: was.Content[:len(was.Content)-1]},
			"more":           {Version: 1, Content: append(bytes.Clone(was.Content), 0)},
			"not deflated":   {Version: 1, Content: was.Content, Deflated: true},
			"another field":  {Version: 1, Content: []byte("\xa1\x61x\x01")},
			"another type":   {Version: 1, Content: []byte("\x83\x01\x02\x03")},
			"no end":         {Version: 1, Content: []byte("\xbf\xff")},
			"deeper than 8":  {Version: 1, Content: bytes.Repeat([]byte("\x81"), 100)},
			"a tagged value": {Version: 1, Content: append([]byte("\xc1"), was.Content...)},
		} {
			all[k.name] = s
			if b, err := Decode(assemble(t, all)); b != nil || !errors.Is(err, ErrDamaged) {
				t.Errorf("%s with %s: %v, %v", k.name, name, b, err)
			}
		}
	}
}

// TestSmallHostileFiles: a file of a few kilobytes makes Decode reserve no more than it says, whatever the file promises.
func TestSmallHostileFiles(t *testing.T) {
	const most = 160 << 20                         // 32 MiB unpacked, which io.ReadAll reserves several times over while it grows
	longest := func(key string, n uint32) []byte { // a map with a list of n empty elements
		list := []byte{0x9a, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		return append(append(append([]byte{0xa1, 0x60 | byte(len(key))}, key...), list...), bytes.Repeat([]byte{0xf6}, int(n))...)
	}
	all := sectionsOf(t, mustEncode(t, tiny()))
	for name, content := range map[string][]byte{
		"a list over the limit":      longest("links", maxPages+1),
		"a list at the limit":        longest("links", maxPages),
		"as much as may be":          longest("pages", mostDeflated-12),
		"a list longer than it is":   longest("pages", 1<<16)[:1000],
		"a string longer than it is": []byte("\xa1\x65pages\x5b\x7f\xff\xff\xff\xff\xff\xff\xff"),
	} {
		all["lessons"] = section{Version: 1, Deflated: true, Content: mustDeflate(t, content)}
		raw := assemble(t, all)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b, err := Decode(raw)
		runtime.ReadMemStats(&after)
		if b != nil || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, b, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s: a file of %d bytes took %d MiB", name, len(raw), took>>20)
		}
	}
}

// TestFormat3 reads a model that the last version to write format 3 trained on a made-up web, and compares it with what
// that version read in it.
func TestFormat3(t *testing.T) {
	b, err := Decode(mustRead(t, "format3.bundle"))
	if err != nil {
		t.Fatal(err)
	}
	type numbers struct {
		Topic                      string
		Settings                   Settings
		Facts                      Facts
		Gamma                      GammaFact
		FirstTerm                  string
		LastIDF                    float64
		LastBasis                  float32
		Singular, LastVector       []float64
		Page                       PageFact
		Edges                      [][2]int
		Cluster                    Cluster
		Initial                    []float64
		Transition, Emission       [][]float64
		LastWritten                string
		LastWeight                 float32
		Prior, Bias                []float64
		JudgeThreshold, JudgeSlope float64
		JudgeHow                   string
		LessonWords                []int32
		LessonLinks                int
		Link                       LinkLesson
		Choice                     Choice
		Report                     *Report
		Text                       string
		Observation                Observation
	}
	var want numbers
	if err := json.Unmarshal(mustRead(t, "format3.json"), &want); err != nil {
		t.Fatal(err)
	}
	read := func(b *Bundle) numbers {
		return numbers{
			Topic: b.Topic, Settings: b.Settings, Facts: b.Facts, Gamma: b.Gamma, Singular: b.Singular,
			FirstTerm: b.Terms[0], LastIDF: last(b.IDF), LastBasis: last(b.Basis), LastVector: last(b.Vectors),
			Page: b.Pages[1], Edges: b.Edges[:3], Cluster: b.Clusters[1],
			Initial: b.Initial, Transition: b.Transition, Emission: b.Emission,
			LastWritten: last(b.Features.Written), LastWeight: last(b.Soft.Weights), Prior: b.Soft.Prior, Bias: b.Soft.Bias,
			JudgeThreshold: b.Judge.Threshold, JudgeHow: b.Judge.How, JudgeSlope: b.Judge.Slope,
			LessonWords: b.Lessons.Pages[0].Count, LessonLinks: len(b.Lessons.Links), Link: last(b.Lessons.Links),
			Choice: b.Choice, Report: b.Report, Text: want.Text, Observation: b.Observe(want.Text),
		}
	}
	if got := read(b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	again, err := Decode(mustEncode(t, b))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fields(again), fields(b)) {
		t.Errorf("in this format it is read as %+v\nin format 3 as %+v", fields(again), fields(b))
	}
}

// TestFormat3Fields reads the bundle of tiny, as the last version to write format 3 stored it.
func TestFormat3Fields(t *testing.T) {
	b, err := Decode(mustRead(t, "format3_tiny.bundle"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fields(b), fields(tiny())) {
		t.Errorf("got %+v\nwant %+v", fields(b), fields(tiny()))
	}
}

// TestFormat3Refuses: no body of format 3 that is cut or of which a bit is flipped makes Decode panic, and what it still
// reads can be written.
func TestFormat3Refuses(t *testing.T) {
	body := bodyOf(mustRead(t, "format3_tiny.bundle"))
	for n := range body {
		if b, err := Decode(sealed(3, body[:n])); b != nil || !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d of %d bytes: %v, %v", n, len(body), b, err)
		}
		bad := bytes.Clone(body)
		bad[n] ^= 0x81
		if b, err := Decode(sealed(3, bad)); err == nil {
			mustEncode(t, b)
		} else if !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d changed: %v", n, err)
		}
	}
}

// TestReportBeforeRehearsals reads the bundle of tiny as the last version to write version 1 of its report stored it, with
// figures of test crawls that are no longer told.
func TestReportBeforeRehearsals(t *testing.T) {
	b, err := Decode(mustRead(t, "report1_tiny.bundle"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fields(b), fields(tiny())) {
		t.Errorf("got %+v\nwant %+v", fields(b), fields(tiny()))
	}
	if s := sectionsOf(t, mustEncode(t, b))["report"]; s.Version != 2 {
		t.Errorf("it is written again as %+v", s)
	}
}

func last[T any](v []T) T { return v[len(v)-1] }
