package demoweb

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Text writes English-looking text about themes, for other made-up webs. The same random source gives the same text.
type Text struct{ w writer }

// NewText draws from rng.
func NewText(rng *rand.Rand) Text { return Text{writer{rng: rng}} }

// Themes are the names of all themes, sorted.
func Themes() []string { return slices.Sorted(maps.Keys(themes)) }

// Headline is a short title about one of Themes.
func (t Text) Headline(theme string) string { return t.w.headline(theme) }

// Paragraph is n sentences, most about theme and some about second.
func (t Text) Paragraph(theme, second string, n int) string {
	return t.w.paragraph(mix{{theme, 5}, {second, 1}}, n)
}
