package ontology

import (
	"io"
	"strconv"
	"strings"
)

// Triples writes N-Triples. Its first error stays.
type Triples struct {
	To    io.Writer
	Err   error
	nodes int
}

// Put writes a statement, whose parts are an IRI, a Literal or a Node.
func (t *Triples) Put(subject, predicate, object string) {
	if t.Err == nil {
		_, t.Err = io.WriteString(t.To, subject+" "+predicate+" "+object+" .\n")
	}
}

// Node is a new blank node.
func (t *Triples) Node() string {
	t.nodes++
	return "_:n" + strconv.Itoa(t.nodes)
}

// IRI is an address as N-Triples write it. It must not have characters that an address lacks.
func IRI(address string) string { return "<" + address + ">" }

var literalEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)

// Literal is a text as N-Triples write it, or a value of a type of XML Schema, such as "integer"; "" is a text.
func Literal(text, kind string) string {
	quoted := `"` + literalEscapes.Replace(strings.ToValidUTF8(text, "\uFFFD")) + `"`
	if kind != "" {
		quoted += "^^" + IRI("http://www.w3.org/2001/XMLSchema#"+kind)
	}
	return quoted
}
