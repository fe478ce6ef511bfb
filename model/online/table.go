package online

// table finds the weights of tokens: a map's answers in a fraction of its time, for a link has forty tokens and is valued
// each time that its queue is put in order.
type table struct {
	slots []slot // a power of two, at most half of them taken
}

type slot struct {
	token  uint32
	taken  bool
	weight float64
}

// newTable makes one of tokens and their weights. Token 0 is like any other.
func newTable(tokens []uint32, weights []float64) table {
	size := 8
	for size < 2*len(tokens) {
		size *= 2
	}
	t := table{slots: make([]slot, size)}
	for i, token := range tokens {
		t.slots[t.find(token)] = slot{token, true, weights[i]}
	}
	return t
}

// find is the slot that holds a token, or else the free one where it would be.
func (t *table) find(token uint32) int {
	mask := len(t.slots) - 1
	at := int(token) & mask
	for t.slots[at].taken && t.slots[at].token != token {
		at = (at + 1) & mask
	}
	return at
}

// weight is a token's weight, 0 when it has none.
func (t *table) weight(token uint32) float64 { return t.slots[t.find(token)].weight }
