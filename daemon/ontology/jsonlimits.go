package ontology

import (
	"errors"
	"strings"
)

const (
	maxContextWork = 20_000_000 // definitions that are copied: one context may be copied for each object
	maxAddresses   = 256 << 20  // bytes of all addresses when they are written in full
)

// contextSize measures what the contexts of a JSON-LD document make of it, because contexts can be nested, and prefixes
// defined by prefixes: a small file may take hours or all memory.
type contextSize struct {
	keys    int // of all contexts
	work    int // definitions that are copied when the document is read
	scoped  bool
	objects int
	strings int // outside contexts

	values map[string]string // name -> its longest definition
	vocab  int               // bytes of the addresses that names without a prefix get in front
}

// checkContexts refuses a document whose contexts make it too large. The document is not nested deeper than maxDepth.
func checkContexts(document any) error {
	s := &contextSize{values: make(map[string]string)}
	s.walk(document, 0)
	if s.scoped {
		s.work += s.keys * s.objects
	}
	if s.work > maxContextWork {
		return errors.New("line 1: the contexts are too many and too large; put one context at the beginning, or convert the file to N-Triples")
	}
	full := make(map[string]int, len(s.values))
	longest := 0
	for name := range s.values {
		longest = max(longest, s.length(name, full))
	}
	if (2*longest+s.vocab)*s.strings > maxAddresses {
		return errors.New("line 1: the contexts define too long addresses; shorten them, or convert the file to N-Triples")
	}
	return nil
}

// walk measures a value. active is the number of definitions that hold there.
func (s *contextSize) walk(v any, active int) {
	switch v := v.(type) {
	case string:
		s.strings++
	case []any:
		for _, e := range v {
			s.walk(e, active)
		}
	case map[string]any:
		s.objects++
		if context, ok := v["@context"]; ok {
			before := s.keys
			s.context(context)
			active += s.keys - before
			s.work += active
		}
		for key, e := range v {
			if key != "@context" {
				s.strings++
				s.walk(e, active)
			}
		}
	}
}

// context measures a context.
func (s *contextSize) context(c any) {
	switch c := c.(type) {
	case []any:
		s.keys++ // an empty context is copied, too
		for _, e := range c {
			s.context(e)
		}
	case map[string]any:
		for name, definition := range c {
			s.keys++
			if d, ok := definition.(map[string]any); ok {
				if inner, ok := d["@context"]; ok {
					s.scoped = true
					s.context(inner)
				}
				if definition = d["@id"]; definition == nil {
					definition = d["@reverse"]
				}
			}
			text, _ := definition.(string)
			switch name {
			case "@vocab", "@base":
				s.vocab += len(text)
			}
			if len(text) > len(s.values[name]) {
				s.values[name] = text
			}
		}
	}
}

// length is the length of the address of a name in bytes, at most. full has those that are known.
func (s *contextSize) length(name string, full map[string]int) int {
	var chain []string
	known, total := false, 0
	for !known {
		if total, known = full[name]; known {
			break
		}
		full[name] = 0 // a name that is defined by itself ends here
		chain = append(chain, name)
		value, defined := s.values[name]
		if !defined {
			break
		}
		name, _, _ = strings.Cut(value, ":")
	}
	for i := len(chain) - 1; i >= 0; i-- {
		total += len(s.values[chain[i]])
		full[chain[i]] = total
	}
	return total
}
