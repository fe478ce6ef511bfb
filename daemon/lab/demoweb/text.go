package demoweb

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Text writes made-up English about themes, for other made-up webs. The same random source writes the same text.
type Text struct{ w writer }

// NewText draws from rng.
func NewText(rng *rand.Rand) Text { return Text{writer{rng: rng}} }

// Matters are the themes that a person may take an interest in, in a fixed order.
func Matters() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.theme
	}
	return names
}

// Themes are the names of all themes, sorted.
func Themes() []string { return slices.Sorted(maps.Keys(themes)) }

// Headline is a title of a few words about a theme, which must be one of Themes.
func (t Text) Headline(theme string) string { return t.w.headline(theme) }

// Paragraph is n sentences, most of them about a theme and the others about a second one.
func (t Text) Paragraph(theme, second string, n int) string {
	return t.w.paragraph(mix{{theme, 5}, {second, 1}}, n)
}

// WithNames writes as t does, and calls every other thing by one of n names that are drawn now, so that texts of different
// names have few phrases in common, as those of different people have.
func (t Text) WithNames(n int) Text {
	names := make([]string, n)
	for i := range names {
		names[i] = t.w.name()
	}
	t.w.names = names
	return t
}
