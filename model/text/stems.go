package text

// Counted is a stem and how often it occurs in a text.
type Counted struct {
	Stem   string
	Times  int
	Number int32 // of the stem, see NewNumbered; Unnumbered when it has none
}

// few is up to how many distinct words a list is searched from end to end for a stem: for the words of a link that is
// quicker than a map.
const few = 48

// Append counts the stems of s as CountIn does, and appends them to list, each once, in the order of their first occurrence.
// It is meant for short texts, whose language is that of the page that has them.
func (c *Counter) Append(list []Counted, l Language, s string) []Counted {
	t := c.take()
	c.read(s, t)
	c.learn(t, l.orEnglish())
	begin := len(list)
	var at map[string]int
	if len(t.list) > few {
		at = make(map[string]int, len(t.list))
	}
	for _, word := range t.list {
		e := &t.words[word]
		stem := e.stem
		if stem == "" {
			continue
		}
		e.total += int(e.times)
		i := find(list[begin:], stem, at)
		if i >= 0 {
			list[begin+i].Times += int(e.times)
			continue
		}
		if at != nil {
			at[stem] = len(list) - begin
		}
		list = append(list, Counted{stem, int(e.times), e.number})
	}
	c.giveBack(t)
	return list
}

// find is the place of a stem in a list, -1 when it is not there; at tells places when there is one.
func find(list []Counted, stem string, at map[string]int) int {
	if at != nil {
		if i, ok := at[stem]; ok {
			return i
		}
		return -1
	}
	for i := range list {
		if list[i].Stem == stem {
			return i
		}
	}
	return -1
}
