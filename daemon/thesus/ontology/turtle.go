package ontology

import (
	"fmt"
	"strings"
)

// turtleReader reads what SKOS files use of Turtle: prefixes, bases, a, lists with ; and , literals, and nodes and lists in
// brackets. Anything else is an error with its line.
type turtleReader struct {
	src      string
	pos      int
	line     int
	prefixes map[string]string
	base     string
	g        *graph
	blanks   int
	depth    int
}

// maxBadStatements is how many statements that cannot be read a file may have.
const maxBadStatements = 50

// readTurtle reads Turtle. A few statements that cannot be read are told and left out.
func readTurtle(src string, g *graph) error {
	r := &turtleReader{src: src, line: 1, prefixes: make(map[string]string), g: g}
	var bad faults
	for r.skip(); r.pos < len(r.src); r.skip() {
		err := r.statement()
		switch {
		case err == nil:
			bad.good++
			continue
		case bad.bad == maxBadStatements:
			return bad.first
		}
		bad.add(err)
		r.nextStatement()
	}
	return bad.tell(g, "statement")
}

// nextStatement goes behind the next line that ends with a dot.
func (r *turtleReader) nextStatement() {
	for r.depth = 0; r.pos < len(r.src); {
		line, _, more := strings.Cut(r.src[r.pos:], "\n")
		if r.pos += len(line); more {
			r.pos++
			r.line++
		}
		if strings.HasSuffix(strings.TrimRight(line, " \t\r"), ".") {
			return
		}
	}
}

// fault is an error at the current line.
func (r *turtleReader) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: %s; correct it, or convert the file to N-Triples", r.line, fmt.Sprintf(format, args...))
}

// rest is the beginning of what is not read yet, for messages.
func (r *turtleReader) rest() string {
	line, _, _ := strings.Cut(r.src[r.pos:min(len(r.src), r.pos+400)], "\n")
	return quoted(strings.TrimSpace(line))
}

// skip goes to the next character that is neither white space nor in a comment.
func (r *turtleReader) skip() {
	for r.pos < len(r.src) {
		switch r.src[r.pos] {
		case '\n':
			r.line++
		case ' ', '\t', '\r':
		case '#':
			if end := strings.IndexByte(r.src[r.pos:], '\n'); end >= 0 {
				r.pos += end
				continue
			}
			r.pos = len(r.src)
			return
		default:
			return
		}
		r.pos++
	}
}

// peek is the next character after white space, 0 at the end.
func (r *turtleReader) peek() byte {
	if r.skip(); r.pos < len(r.src) {
		return r.src[r.pos]
	}
	return 0
}

// expect reads one character.
func (r *turtleReader) expect(c byte, after string) error {
	if got := r.peek(); got != c {
		if got == 0 {
			return r.fault("the file ends where a %c should follow %s", c, after)
		}
		return r.fault("%s follows %s, where a %c should be", r.rest(), after, c)
	}
	r.pos++
	return nil
}

// statement reads a directive or the triples of one subject.
func (r *turtleReader) statement() error {
	if word := r.keyword(); word != "" {
		return r.directive(word)
	}
	subject, err := r.resource("a subject")
	if err != nil {
		return err
	}
	if c := r.peek(); c == '.' && isBlank(subject) {
		r.pos++
		return nil
	}
	if err := r.predicates(subject); err != nil {
		return err
	}
	return r.expect('.', "the last object")
}

// keyword is the directive that stands here, with its @, "" if there is none.
func (r *turtleReader) keyword() string {
	for _, word := range [...]string{"@prefix", "@base", "prefix", "base"} {
		if end := r.pos + len(word); end < len(r.src) && strings.EqualFold(r.src[r.pos:end], word) && strings.IndexByte(" \t\r\n<", r.src[end]) >= 0 {
			r.pos = end
			return word
		}
	}
	return ""
}

// directive reads what follows a keyword.
func (r *turtleReader) directive(word string) error {
	name := ""
	if strings.HasSuffix(word, "prefix") {
		r.skip()
		prefix, ok := strings.CutSuffix(r.name(), ":")
		if !ok {
			return r.fault("%s needs a name and a colon", word)
		}
		name = prefix
	}
	if r.peek() != '<' {
		return r.fault("%s follows %s, where an address in < and > should be", r.rest(), word)
	}
	address, err := r.address()
	if err != nil {
		return err
	}
	if len(address) > maxBase {
		return r.fault("the address after %s is longer than %d bytes", word, maxBase)
	}
	if strings.HasSuffix(word, "prefix") {
		r.prefixes[name] = address
	} else {
		r.base = address
	}
	if word[0] == '@' {
		return r.expect('.', word)
	}
	return nil
}

// predicates reads predicates with their objects up to what ends them.
func (r *turtleReader) predicates(subject string) error {
	for {
		r.skip()
		predicate := rdfNS + "type"
		if rest := r.src[r.pos:]; len(rest) > 1 && rest[0] == 'a' && strings.IndexByte(" \t\r\n<[", rest[1]) >= 0 {
			r.pos++
		} else {
			var err error
			if predicate, err = r.resource("a predicate"); err != nil {
				return err
			}
		}
		if err := r.objects(subject, predicate); err != nil {
			return err
		}
		more := false
		for r.peek() == ';' {
			r.pos++
			more = true
		}
		if c := r.peek(); !more || c == '.' || c == ']' {
			return nil
		}
	}
}

// objects reads the objects of a predicate.
func (r *turtleReader) objects(subject, predicate string) error {
	for {
		r.skip()
		line := r.line
		object, err := r.object()
		if err != nil {
			return err
		}
		r.g.add(triple{subject, predicate, object, line})
		if r.peek() != ',' {
			return nil
		}
		r.pos++
	}
}

// object reads a literal or a resource.
func (r *turtleReader) object() (value, error) {
	switch c := r.peek(); {
	case c == '"' || c == '\'':
		return r.literal()
	case c == '+' || c == '-' || '0' <= c && c <= '9' || c == '.' && r.pos+1 < len(r.src) && '0' <= r.src[r.pos+1] && r.src[r.pos+1] <= '9':
		return value{text: r.number(), literal: true}, nil
	}
	for _, word := range [...]string{"true", "false"} {
		if strings.HasPrefix(r.src[r.pos:], word) && !inName(r.src, r.pos+len(word)) {
			r.pos += len(word)
			return value{text: word, literal: true}, nil
		}
	}
	address, err := r.resource("an object")
	return value{text: address}, err
}

// resource reads an address, a prefixed name, or a node without address; what names what is read.
func (r *turtleReader) resource(what string) (string, error) {
	switch c := r.peek(); {
	case c == 0:
		return "", r.fault("the file ends where %s should be", what)
	case c == '<':
		return r.address()
	case c == '[' || c == '(':
		if r.depth++; r.depth > maxDepth {
			return "", r.fault("brackets are nested more than %d deep", maxDepth)
		}
		defer func() { r.depth-- }()
		r.pos++
		if c == '(' {
			return r.list()
		}
		return r.brackets()
	}
	start := r.pos
	name := r.name()
	prefix, local, ok := strings.Cut(name, ":")
	switch {
	case !ok || name == "_:":
		r.pos = start
		return "", r.fault("%s is not %s that is understood here", r.rest(), what)
	case prefix == "_":
		return name, nil
	}
	full, known := r.prefixes[prefix]
	if !known {
		return "", r.fault("the prefix %s is not defined; add a line with @prefix at the beginning", quoted(prefix+":"))
	}
	return full + local, nil
}

// brackets reads the triples of a node without address, after its [.
func (r *turtleReader) brackets() (string, error) {
	r.blanks++
	subject := fmt.Sprintf("_:#%d", r.blanks) // no file can have this label
	if r.peek() != ']' {
		if err := r.predicates(subject); err != nil {
			return "", err
		}
	}
	return subject, r.expect(']', "a node in brackets")
}

// list reads a list, after its (. Its order matters to no term, so that all members are first ones of the same node.
func (r *turtleReader) list() (string, error) {
	r.blanks++
	subject := fmt.Sprintf("_:#%d", r.blanks)
	for {
		switch r.peek() {
		case ')':
			r.pos++
			return subject, nil
		case 0:
			return "", r.fault("the file ends in a list")
		}
		member, err := r.object()
		if err != nil {
			return "", err
		}
		r.g.add(triple{subject, rdfNS + "first", member, r.line})
	}
}
