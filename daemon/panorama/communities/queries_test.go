package communities

import (
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/panorama/maps"
)

// What an instance would be asked for has no markup of the bibliography, and no more words than engines read. Nothing is sent.
func TestQueriesOfBibliography(t *testing.T) {
	t.Parallel()
	d := newWorld(t, 14).open(t)
	long := strings.TrimSpace(strings.Repeat("owls over mills ", 12))
	body := `@misc{, title={Owls of <i>Strix aluco</i> in CO<sub>2</sub> rich mills {\&}amp; ponds}}
@misc{b, title={$\less$p$\greater$The keeper{\textquotesingle}s mill\newline at night$\less$/p$\greater$}}
@misc{c, title={` + long + `}}`
	o := maps.Options{Hold: true, Search: "searxng=http://127.0.0.1:9"}
	one := must(d.NewDocument(t.Context(), Source{Name: "owls.bib", Body: []byte(body)}, o))(t)
	plan := must(d.Plan(t.Context(), one.ID))(t)
	first := strings.Join(strings.Fields(long)[:30], " ")
	want := []string{`"owls of strix aluco in co2 rich mills ponds"`, `"the keeper's mill at night"`, `"` + first + `"`}
	if got := plan.Sends(); !slices.Equal(got[max(0, len(got)-3):], want) {
		t.Errorf("%q, want %q", got, want)
	}
	_, titles, read := titlesOf(t, d, one.ID)
	told := slices.ContainsFunc(read.Warnings, func(w maps.DocumentWarning) bool {
		return strings.Contains(w.What, "36 words") && strings.Contains(w.What, "first 30")
	})
	if !slices.Contains(titles, long) || !told {
		t.Errorf("%q %+v", titles, read.Warnings)
	}
}
