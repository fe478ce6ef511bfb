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
	t := c.read(s)
	begin := len(list)
	for w := range c.stems(t, l.orEnglish()) {
		stem := w.in.stem
		if i := slices.IndexFunc(list[begin:], func(c Counted) bool { return c.Stem == stem }); i >= 0 {
			list[begin+i].Times += int(w.times)
			continue
		}
		list = append(list, Counted{stem, int(w.times), w.in.number})
	}
	c.giveBack(t)
	return list
}
