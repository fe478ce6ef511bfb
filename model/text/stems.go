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
	t := c.take()
	c.read(s, t)
	c.learn(t, l.orEnglish())
	begin := len(list)
	for _, word := range t.list {
		e := &t.words[word]
		stem := e.stem
		if stem == "" {
			continue
		}
		e.total += int(e.times)
		if i := slices.IndexFunc(list[begin:], func(c Counted) bool { return c.Stem == stem }); i >= 0 {
			list[begin+i].Times += int(e.times)
			continue
		}
		list = append(list, Counted{stem, int(e.times), e.number})
	}
	c.giveBack(t)
	return list
}
