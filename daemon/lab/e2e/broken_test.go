package e2e

import (
	"net/url"
	"slices"
	"testing"
)

// TestBroken has measure look at two cards beside each other, of which the first has a line that is too long.
func TestBroken(t *testing.T) {
	t.Parallel()
	tab, err := startBoard(t).NewTab()
	if err != nil {
		t.Fatal(err)
	}
	const long = "A line of the first card that goes on and on, past the card's edge"
	for _, c := range []struct {
		name, style string
		want        []string
	}{
		{"cut, and said so by an ellipsis", "overflow: hidden; text-overflow: ellipsis", nil},
		{"cut and not said so", "overflow: hidden", []string{
			"p.long cuts “" + long[:57] + "…”",
			"“" + long[:57] + "…” leaves p.long",
		}},
		{"not cut in spite of its style", "text-overflow: ellipsis", []string{
			"“" + long[:57] + "…” and “The second card” overlap in p.long",
		}},
	} {
		page := `<!doctype html><style>p { width: 200px; margin: 0; float: left; white-space: nowrap }</style>` +
			`<p class="long" style="` + c.style + `">` + long + `</p><p class="second">The second card</p>`
		if err := tab.Address("data:text/html;charset=utf-8," + url.PathEscape(page)); err != nil {
			t.Fatal(err)
		}
		var found []string
		if err := tab.Eval(measure, &found); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, found, c.want)
		}
	}
}
