package text

import "slices"

// Counted is a stem and how often it occurs in a text.
type Counted struct {
	Stem   string
	Times  int
	Number int32 // of the stem, see NewNumbered; Unnumbered when it has none
}

// Append counts the stems of s as CountIn does, and appends them to list, each once, in the order of their first occurrence.
// It is meant for short texts, whose language is that of the page that has them.
func (c *Counter) Append(list []Counted, l Language, s string) []Counted {
	t := read(s)
	c.learn(t, l.orEnglish())
	begin := len(list)
	for i := range t {
		w := &t[i]
		if w.stem == "" {
			continue
		}
		if at := slices.IndexFunc(list[begin:], func(c Counted) bool { return c.Stem == w.stem }); at >= 0 {
			list[begin+at].Times += w.times
			continue
		}
		list = append(list, Counted{w.stem, w.times, w.number})
	}
	return list
}
