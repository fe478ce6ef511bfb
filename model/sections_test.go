package model

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

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
		if missing := errors.Is(err, ErrOlderFormat) && strings.Contains(err.Error(), "no section "+k.name); missing == k.optional || (b != nil) != k.optional {
			t.Errorf("without %s: %v, %v", k.name, b, err)
		}
		all[k.name] = section{Version: k.version() + 1, Content: was.Content}
		b, err = Decode(assemble(t, all))
		if newer := errors.Is(err, ErrNewerFormat) && strings.Contains(err.Error(), "its section "+k.name+" has version"); newer == k.optional || (b != nil) != k.optional {
			t.Errorf("with a newer %s: %v, %v", k.name, b, err)
		}
		for name, s := range map[string]section{
			"version 0":      {Content: was.Content},
			"nothing":        {Version: k.version()},
			"cut":            {Version: k.version(), Content: was.Content[:len(was.Content)-1]},
			"more":           {Version: k.version(), Content: append(bytes.Clone(was.Content), 0)},
			"not deflated":   {Version: k.version(), Content: was.Content, Deflated: true},
			"another field":  {Version: k.version(), Content: []byte("\xa1\x61x\x01")},
			"another type":   {Version: k.version(), Content: []byte("\x83\x01\x02\x03")},
			"no end":         {Version: k.version(), Content: []byte("\xbf\xff")},
			"deeper than 8":  {Version: k.version(), Content: bytes.Repeat([]byte("\x81"), 100)},
			"a tagged value": {Version: k.version(), Content: append([]byte("\xc1"), was.Content...)},
		} {
			all[k.name] = s
			if b, err := Decode(assemble(t, all)); b != nil || !errors.Is(err, ErrDamaged) {
				t.Errorf("%s with %s: %v, %v", k.name, name, b, err)
			}
		}
	}
}

// TestOlderSection: a model with a section of an unsupported old version is distinguished from a damaged one.
func TestOlderSection(t *testing.T) {
	all := sectionsOf(t, mustEncode(t, tiny()))
	all["report"] = section{Version: 1, Content: all["report"].Content}
	if b, err := Decode(assemble(t, all)); b != nil || !errors.Is(err, ErrOlderFormat) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v, %v", b, err)
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
