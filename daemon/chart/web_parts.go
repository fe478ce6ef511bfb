package chart

// MostInPart is the largest number of pages in a part of a web graph, and MostSteps the largest number of steps. A web of more pages or steps
// than one picture can show is drawn in parts along the way taken.
const (
	MostInPart = 160
	MostSteps  = 400
)

// WebPart is a part of a web graph: a piece of the way, and the pages on it.
type WebPart struct {
	Pages    []int // in the order in which the way reaches them
	From, To int   // the moves are those with From <= index < To
}

// WebParts cuts a web into parts. Every move is in one part, and every page in at least one: pages that no move joins are in
// that of the pages seen before them. A web of at most MostDrawn pages, with at most four times as many moves, has one part.
// pages is the number of pages, in the order in which they were seen.
func WebParts(pages int, moves []Move) []WebPart {
	if pages <= MostDrawn && len(moves) <= 4*MostDrawn {
		all := WebPart{To: len(moves)}
		for page := range pages {
			all.Pages = append(all.Pages, page)
		}
		return []WebPart{all}
	}
	c := partCutter{met: make([]bool, pages)}
	moved := make([]bool, pages)
	for _, m := range moves {
		moved[m.From], moved[m.To] = true, true
	}
	next := 0 // the first page that has no part yet, of those that no move joins
	strays := func(before int) {
		for ; next < before; next++ {
			if !moved[next] {
				c.add(next)
			}
		}
	}
	for i, m := range moves {
		strays(min(m.From, m.To))
		c.step(i, m)
	}
	strays(pages)
	return append(c.parts, c.now)
}

// partCutter puts pages and moves into the last part until that is full.
type partCutter struct {
	parts []WebPart
	now   WebPart
	met   []bool // by page: it is in the last part
}

func (c *partCutter) step(i int, m Move) {
	fresh := 0
	for _, page := range []int{m.From, m.To} {
		if !c.met[page] {
			fresh++
		}
	}
	if len(c.now.Pages)+fresh > MostInPart || c.now.To-c.now.From >= MostSteps {
		c.cut()
	}
	c.now.To = i + 1
	c.add(m.From)
	c.add(m.To)
}

func (c *partCutter) add(page int) {
	if c.met[page] {
		return
	}
	if len(c.now.Pages) >= MostInPart {
		c.cut()
	}
	c.met[page] = true
	c.now.Pages = append(c.now.Pages, page)
}

func (c *partCutter) cut() {
	c.parts = append(c.parts, c.now)
	c.now = WebPart{From: c.now.To, To: c.now.To}
	clear(c.met)
}

// Cut returns the pages, links and moves of a part, with indices into the pages that it returns.
func (w WebPart) Cut(pages []WebPage, links [][2]int, moves []Move) (cut []WebPage, inside [][2]int, steps []Move) {
	at := make(map[int]int, len(w.Pages))
	for i, page := range w.Pages {
		at[page] = i
		cut = append(cut, pages[page])
	}
	for _, e := range links {
		a, ok := at[e[0]]
		if b, both := at[e[1]]; ok && both {
			inside = append(inside, [2]int{a, b})
		}
	}
	for _, m := range moves[w.From:w.To] {
		steps = append(steps, Move{From: at[m.From], To: at[m.To], Back: m.Back})
	}
	return cut, inside, steps
}
