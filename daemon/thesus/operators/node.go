package operators

// kind is the kind of a node.
type kind int

const (
	call      kind = iota
	pageSet        // of items
	wordSet        // of items
	result         // of an earlier statement, number n
	saved          // set, text is its name
	address        // text
	prefix         // text is how addresses begin
	ofTopic        // text is its name
	ofSession      // text is its number or UUID
	ofCrawl        // number n
	word           // text
	term           // text is its name
	number         // n
	option         // text is its value
)

// node is a part of a program.
type node struct {
	kind  kind
	at    int // byte of the text where it begins
	op    *operator
	items []*node // arguments, or members of a set
	text  string
	n     int64
	top   int // how many of it are taken; 0 means all
}

// isAll reports whether a node is written as all pages or all words.
func (n *node) isAll() bool { return (n.kind == pageSet || n.kind == wordSet) && len(n.items) == 0 }
