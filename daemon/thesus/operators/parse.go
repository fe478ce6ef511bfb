package operators

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a program.
const (
	MaxText       = 64 << 10 // bytes
	MaxNesting    = 20       // brackets in brackets, with those of saved sets
	MaxStatements = 50
)

// parser reads a program. Its errors are faults.
type parser struct {
	text  string
	at    int // byte that is read next
	depth int
}

// parse reads a program. The error is a *Fault.
func parse(text string) ([]*node, *Fault) {
	p := &parser{text: text}
	if len(text) > MaxText {
		return nil, &Fault{Text: "a program may have at most 64 KiB; save parts of it as sets, and use these by @name"}
	}
	if !utf8.ValidString(text) {
		return nil, &Fault{Text: "the text must be UTF-8"}
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }); i >= 0 {
		return nil, faultAt(text, i, "this is a control character; delete it")
	}
	var all []*node
	for {
		if p.next() == 0 && len(all) > 0 {
			return all, nil
		}
		if len(all) == MaxStatements {
			return nil, p.here("a program may have at most %d statements", MaxStatements)
		}
		one, f := p.value()
		if f != nil {
			return nil, f
		}
		all = append(all, one)
		if p.next() != 0 && !p.take(';') {
			return nil, p.here("expected | top, a semicolon or the end, found %s", p.found())
		}
	}
}

// inside runs f one bracket deeper.
func (p *parser) inside(f func() (*node, *Fault)) (*node, *Fault) {
	if p.depth++; p.depth > MaxNesting {
		return nil, p.here("brackets are nested more than %d deep; use several statements, and $1 for the result of the first", MaxNesting)
	}
	defer func() { p.depth-- }()
	return f()
}

// value reads a Value.
func (p *parser) value() (*node, *Fault) {
	one, f := p.plainValue()
	for f == nil && p.take('|') {
		if !p.keyword("top", 0) {
			return nil, p.here("expected top and a number, such as | top 20, found %s", p.found())
		}
		n, f := p.whole("a number, such as top 20")
		switch {
		case f != nil:
			return nil, f
		case n < 1 || n > math.MaxInt32:
			return nil, p.here("top needs a number from 1 on")
		case one.top == 0 || int(n) < one.top:
			one.top = int(n)
		}
	}
	return one, f
}

func (p *parser) plainValue() (*node, *Fault) {
	start := p.next()
	at := p.at
	switch {
	case start == '[':
		return p.inside(p.pages)
	case start == '{':
		return p.inside(p.words)
	case p.take('$'):
		n, f := p.whole("the number of a statement, such as $1")
		return &node{kind: result, at: at, n: n}, f
	case p.take('@'):
		name, f := p.savedName()
		return &node{kind: saved, at: at, text: name}, f
	}
	name := p.name()
	if name != "" && p.next() == '(' {
		op, f := p.operator(name, at)
		if f != nil {
			return nil, f
		}
		return p.inside(func() (*node, *Fault) { return p.arguments(op, at) })
	}
	p.at = at
	if op := nearest(name); name != "" && op != nil {
		return nil, p.here("expected ( behind the operator, as in %s", op.example)
	}
	return nil, p.here("expected an operator, such as %s, or a set, such as [https://example.org/], found %s", operators[0].example, p.found())
}

// operator finds an operator by its name, which is at a place.
func (p *parser) operator(name string, at int) (*operator, *Fault) {
	for i := range operators {
		if strings.EqualFold(operators[i].name, name) {
			return &operators[i], nil
		}
	}
	if op := nearest(name); op != nil {
		return nil, faultAt(p.text, at, "there is no operator %.40q; did you mean %s?", name, op.name)
	}
	return nil, faultAt(p.text, at, "there is no operator %.40q; there are: %s", name, strings.Join(Names(), ", "))
}

// nearest is the operator whose name is most like a name, nil if none is.
func nearest(name string) (best *operator) {
	if len(name) > 40 { // the longest one has 22
		return nil
	}
	least := len(name)/3 + 2
	for i := range operators {
		if d := distance(strings.ToLower(name), strings.ToLower(operators[i].name)); d < least {
			best, least = &operators[i], d
		}
	}
	return best
}

// arguments reads the arguments of an operator, whose opening bracket is next.
func (p *parser) arguments(op *operator, at int) (*node, *Fault) {
	one := &node{kind: call, at: at, op: op}
	p.take('(')
	for !p.take(')') {
		if len(one.items) > 0 {
			if f := p.expect(',', "a comma or )"); f != nil {
				return nil, f
			}
		}
		argument, f := p.argument()
		if f != nil {
			return nil, f
		}
		if f := p.fits(one, argument); f != nil {
			return nil, f
		}
		one.items = append(one.items, argument)
	}
	if len(one.items) < len(op.takes) {
		return nil, faultAt(p.text, p.at-1, "%s needs %s here, as in %s", op.name, op.takes[len(one.items)], op.example)
	}
	return one, nil
}

// fits says what is wrong with the next argument of a call.
func (p *parser) fits(one, argument *node) *Fault {
	op, n := one.op, len(one.items)
	if argument.kind == option {
		if !op.option || n < len(op.takes) {
			return faultAt(p.text, argument.at, "count= may only be the last argument of weightedGroupKeywords")
		}
		if n > len(op.takes) {
			return faultAt(p.text, argument.at, "count= is there twice")
		}
		return nil
	}
	if n >= len(op.takes) {
		return faultAt(p.text, argument.at, "%s takes no more arguments, as in %s", op.name, op.example)
	}
	if !op.takes[n].accepts(argument) {
		return faultAt(p.text, argument.at, "%s needs %s here, as in %s", op.name, op.takes[n], op.example)
	}
	return nil
}

// argument reads an Argument.
func (p *parser) argument() (*node, *Fault) {
	start := p.next()
	at := p.at
	switch {
	case start == '+' || start == '-' || unicode.IsDigit(start):
		n, f := p.whole("a number")
		return &node{kind: number, at: at, n: n}, f
	case start == '"' || p.atAddress():
		return p.address()
	case p.keyword("count", '='):
		value := strings.ToLower(p.name())
		if value != "pairs" && value != "occurrences" {
			return nil, faultAt(p.text, at, "expected count=occurrences or count=pairs")
		}
		return &node{kind: option, at: at, text: value}, nil
	}
	return p.value()
}

// whole reads a whole number.
func (p *parser) whole(what string) (int64, *Fault) {
	p.skip()
	end := strings.IndexFunc(p.rest(), func(r rune) bool { return r != '+' && r != '-' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(p.rest())
	}
	n, err := strconv.ParseInt(p.rest()[:end], 10, 64)
	if err != nil {
		return 0, p.here("expected %s, found %s", what, p.found())
	}
	p.at += end
	return n, nil
}
