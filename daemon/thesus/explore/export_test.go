package explore

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/rdf"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/export"
)

func exportOf(t *testing.T, m *Maker, id int64, kind string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Export(t.Context(), id, kind, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// All three kinds have the same pages, concepts, words and clusters.
func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	g := made(t, m, Request{Ontology: musicID})
	v := must(m.View(t.Context(), g.ID))(t)
	golden(t, "export.csv", string(exportOf(t, m, g.ID, "csv")))
	golden(t, "export.nt", string(exportOf(t, m, g.ID, "nt")))

	var all jsonGroups
	if err := json.Unmarshal(exportOf(t, m, g.ID, "json"), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Pages) != len(v.Pages) || all.Title != "Everything" || all.Ontology != "Music" || all.Mode != Terms || all.MinSim != .9 {
		t.Errorf("%+v", all)
	}
	lines := must(csv.NewReader(bytes.NewReader(exportOf(t, m, g.ID, "csv"))).ReadAll())(t)
	if len(lines) != 1+len(all.Pages) || !slices.Equal(lines[0], csvHead) {
		t.Fatalf("%d lines", len(lines))
	}
	for _, p := range all.Pages {
		at := slices.IndexFunc(lines, func(l []string) bool { return l[0] == p.URL })
		group := ""
		if p.Group >= 0 {
			group = all.Groups[p.Group].Label
			if !slices.Contains(all.Groups[p.Group].Pages, p.URL) {
				t.Errorf("%s is not in %s", p.URL, group)
			}
		}
		if at < 0 || lines[at][2] != group || strings.Count(lines[at][5], ";")+1 != len(p.Words) {
			t.Errorf("%s: %v", p.URL, lines[at])
		}
	}
	if err := m.Export(t.Context(), g.ID, "xls", &bytes.Buffer{}); !errors.Is(err, ErrKind) {
		t.Errorf("%v", err)
	}
}

// Texts of strangers stay texts: no cell is a formula, each triple can be read.
func TestExportHostile(t *testing.T) {
	t.Parallel()
	effort.Long(t)
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	g := made(t, m, Request{})
	_, l, err := m.load(t.Context(), g.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range hostile.Texts(t) {
		p := &l.view.Pages[i%len(l.view.Pages)]
		p.Title, p.URL = text, "http://x.test/"+text
		for c := range p.Concepts {
			p.Concepts[c].Name, p.Concepts[c].Key = text, text
		}
		for _, level := range l.view.Levels {
			for c := range level.Clusters {
				level.Clusters[c].Label = text
			}
		}
		for _, line := range must(csv.NewReader(bytes.NewReader(exportOf(t, m, g.ID, "csv"))).ReadAll())(t) {
			for _, cell := range line {
				if export.Cell(cell) != cell {
					t.Errorf("%q is a formula", cell)
				}
			}
		}
		for line := range bytes.Lines(exportOf(t, m, g.ID, "nt")) {
			if _, err := rdf.ParseNQuad(strings.TrimSuffix(string(line), "\n")); err != nil {
				t.Errorf("%q: %v: %s", text, err, line)
			}
		}
		if !json.Valid(exportOf(t, m, g.ID, "json")) {
			t.Errorf("%q: no JSON", text)
		}
	}
}
