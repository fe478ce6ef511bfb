package ontology

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"nightjar/model/ontology"
)

// WriteText writes a tree as indented text. Keys are not written.
func WriteText(w io.Writer, t *ontology.Tree) error {
	out := bufio.NewWriter(w)
	for i, term := range t.Terms() {
		depth := t.Depth(i) - 1
		if depth >= maxDepth {
			return fmt.Errorf("write the ontology: the term %s is more than %d levels deep; move it up", quoted(term.Labels[0]), maxDepth)
		}
		out.WriteString(strings.Repeat("  ", depth))
		for k, l := range term.Labels {
			clean, _ := cleanLabel(l)
			if clean == "" && k == 0 {
				return fmt.Errorf("write the ontology: the term %s has no visible character; rename it", quoted(l))
			}
			if clean == "" {
				continue
			}
			if k > 0 {
				out.WriteString(" | ")
			}
			out.WriteString(escape(clean, k == 0))
		}
		for k, s := range term.Senses {
			if !sense.MatchString(s) {
				return fmt.Errorf("write the ontology: %s of the term %s is not a WordNet sense like wind.n.07; remove it", quoted(s), quoted(term.Labels[0]))
			}
			out.WriteString([...]string{" [", ", "}[min(k, 1)] + s)
		}
		if len(term.Senses) > 0 {
			out.WriteByte(']')
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

var escapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `[`, `\[`)

// escape writes a label so that parseTerm reads it back, and so that no first label of a line looks like another kind of file.
func escape(label string, first bool) string {
	if first && (strings.IndexByte("#{<_@", label[0]) >= 0 || prefixLine.MatchString(label)) {
		return `\` + escapes.Replace(label)
	}
	return escapes.Replace(label)
}

// WriteNTriples writes a tree as SKOS in N-Triples. A key that is no address becomes one, and Read makes it the key again.
func WriteNTriples(w io.Writer, t *ontology.Tree) error {
	buffered := bufio.NewWriter(w)
	out := &Triples{To: buffered}
	for _, term := range t.Terms() {
		subject := IRI(Address(term.Key))
		out.Put(subject, IRI(rdfNS+"type"), IRI(skosNS+"Concept"))
		for k, l := range term.Labels {
			predicate := skosNS + "altLabel"
			if k == 0 {
				predicate = skosNS + "prefLabel"
			}
			out.Put(subject, IRI(predicate), Literal(l, ""))
		}
		if term.Parent != ontology.None {
			out.Put(subject, IRI(skosNS+"broader"), IRI(Address(t.Term(term.Parent).Key)))
		}
		for _, s := range term.Senses {
			out.Put(subject, IRI(skosNS+"closeMatch"), IRI(SenseAddress(s)))
		}
	}
	return errors.Join(out.Err, buffered.Flush())
}

// Address is the address of the term with a key in a file.
func Address(key string) string {
	if u, err := url.Parse(key); err == nil && u.Scheme != "" && u.String() == key && !strings.HasPrefix(key, keyNS) && hasScheme(key) &&
		!strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"{}|^`\\", r) }) {
		return key
	}
	return keyNS + url.PathEscape(key)
}

// SenseAddress is the address of the sense with a name, such as "wind.n.07", in a file.
func SenseAddress(name string) string { return senseNS + url.PathEscape(name) }
