package text

import "slices"

// Unnumbered is the number of a stem without a number.
const Unnumbered = -1

// NewNumbered is NewCounter of a counter that knows the numbers of some stems, such as those of a model: at least 0, ascending
// as the stems do. It looks each stem up once and not for each text. The map must not be changed.
func NewNumbered(numbers map[string]int32) *Counter {
	c := NewCounter()
	c.numbers = numbers
	return c
}

// NumberPage is CountPage for the stems that have a number: their occurrences, ascending.
func (c *Counter) NumberPage(declared, s string) ([]Occurrence, Language) {
	t := c.read(s)
	l := t.language(declared)
	list := make([]Occurrence, 0, len(t.list))
	for w := range c.stems(t, l) {
		if w.in.number >= 0 {
			list = append(list, NewOccurrence(w.in.number, int(w.times)))
		}
	}
	c.giveBack(t)
	slices.Sort(list)
	return merged(list), l
}

// merged adds up the occurrences of each term of a sorted list, in place.
func merged(list []Occurrence) []Occurrence {
	n := 0
	for _, o := range list {
		if n > 0 && list[n-1].Term() == o.Term() {
			list[n-1] = NewOccurrence(o.Term(), list[n-1].Times()+o.Times())
			continue
		}
		list[n] = o
		n++
	}
	return list[:n]
}

func (c *Counter) numberOf(stem string) int32 {
	if n, ok := c.numbers[stem]; ok && stem != "" {
		return n
	}
	return Unnumbered
}
