package arms

// Night is what one crawl with two strategies brought. The strategies are A and B in all nights that are compared.
type Night struct {
	Share   int  // Design.Share
	Swapped bool // A was the second strategy, not B
	Picks   [2]int
	Finds   []Find
}

// Find is a pick that brought something.
type Find struct {
	Pick   int
	Second bool    // the second strategy made it
	Worth  float64 // from 0 to 1
}

// arm returns 0 when A made a find, 1 when B did.
func (n *Night) arm(f Find) int {
	if f.Second != n.Swapped {
		return 1
	}
	return 0
}

// blocks calls each with the size of each whole block, the worth of the second's pick, and the sum of worth of the first's.
// The last block counts only when all of its picks were made.
func (n *Night) blocks(each func(size int, second, first float64)) {
	if n.Share < 1 || n.Share > MostShare {
		return
	}
	design := Design{Share: n.Share}
	worth := make([][2]float64, design.Block(n.Picks[0]+n.Picks[1]+1))
	for _, f := range n.Finds {
		if b := design.Block(f.Pick); f.Pick > 0 && b < len(worth) {
			if w := max(0, min(1, f.Worth)); f.Second {
				worth[b][0] += w
			} else {
				worth[b][1] += w
			}
		}
	}
	for b, w := range worth {
		first, last := design.Span(b)
		each(last-first+1, w[0], w[1])
	}
}
