package communities

import (
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
)

// Several documents make one map. What more of them name is looked for first, and each title once, whatever their order.
func TestSeveralDocuments(t *testing.T) {
	t.Parallel()
	d := newWorld(t, 0).open(t)
	one := Source{Name: "one.md", Body: []byte("# Owls of the north\n\n## References\n\n- Owl A (2001). Mills of the valley. Press.\n- Owl A (2002). Ponds and their fish. Press.\n")}
	two := Source{Name: "two.bib", Body: []byte("@misc{a, title = {Fish of the sea}, url = {http://fish.test/}}\n@misc{b, title = {Ponds and Their Fish}}\n")}
	none := Source{Name: "none.txt", Body: []byte("Dear Ann,\nsee you soon.\n")}
	m := must(d.NewDocument(t.Context(), one, maps.Options{Hold: true}, two, none, one))(t)
	main, titles, read := titlesOf(t, d, m.ID)
	want := []string{"Ponds and their fish", "Owls of the north", "Mills of the valley", "Fish of the sea", "Dear Ann", "http://fish.test/"}
	if main != "Owls of the north and 2 more documents" || !slices.Equal(titles, want) {
		t.Errorf("%q: %q, want %q", main, titles, want)
	}
	if read.Documents != 3 || read.Shared != 1 || read.Kind != KindSeveral || read.Named != main ||
		!slices.ContainsFunc(read.Warnings, func(w maps.DocumentWarning) bool {
			return strings.HasPrefix(w.What, "“none.txt”: "+document.ErrNoTitles.What)
		}) {
		t.Errorf("%+v", read)
	}
	again := must(d.NewDocument(t.Context(), two, maps.Options{Hold: true}, one, none))(t)
	if again.Document != m.Document {
		t.Errorf("the same documents are document %d, then %d", m.Document, again.Document)
	}
	broken := Source{Name: "broken.pdf", Body: []byte("%PDF-1.4 nothing")}
	if _, err := d.NewDocument(t.Context(), one, maps.Options{}, broken); err == nil || !strings.HasPrefix(err.Error(), "“broken.pdf”: this PDF is broken") {
		t.Errorf("%v", err)
	}
	if empty := must(d.NewDocument(t.Context(), Source{Name: "a.bib", Body: []byte("@misc{a, year = 2001}")}, maps.Options{Hold: true}))(t); empty.Problem == "" {
		t.Errorf("%+v", empty)
	}
}
