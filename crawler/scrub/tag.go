package scrub

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"nightjar/crawler/texts"
)

// nameOf splits a start tag, or an end tag from its "/" on, into its name as it is written and the rest, without its ">". The
// tokenizer writes a NUL in a name as three bytes.
func nameOf(raw []byte) (name, rest []byte) {
	inner := raw[1 : len(raw)-1]
	end := bytes.IndexAny(inner, spaces+"/")
	if end < 0 {
		end = len(inner)
	}
	return inner[:end], inner[end:]
}

// attribute is one of a tag, in the order of the tag. A name may come twice.
type attribute struct {
	name  []byte // as it is written
	value []byte // as it is written, without quotes
	whole []byte // with quotes
}

const spaces = " \n\r\t\f"

// next reads the next attribute of a tag whose rest is given, without its ">", and returns what follows. ok is false when
// there is none. It splits as the HTML standard (§13.2.5.32 and after) and the tokenizer do.
func next(rest []byte) (a attribute, after []byte, ok bool) {
	rest = bytes.TrimLeft(rest, spaces+"/")
	if len(rest) == 0 {
		return a, nil, false
	}
	end := 1
	for end < len(rest) && strings.IndexByte(spaces+"/>=", rest[end]) < 0 {
		end++
	}
	a.name, a.whole = rest[:end], rest[:end]
	equals := bytes.TrimLeft(rest[end:], spaces)
	if len(equals) == 0 || equals[0] != '=' {
		return a, rest[end:], true
	}
	value := bytes.TrimLeft(equals[1:], spaces)
	begin := len(rest) - len(value)
	if len(value) == 0 {
		return a, nil, true
	}
	stop := 0
	if quote := value[0]; quote == '"' || quote == '\'' {
		if stop = bytes.IndexByte(value[1:], quote); stop < 0 {
			stop = len(value) - 1
		}
		a.value = value[1 : 1+stop]
		stop = min(stop+2, len(value))
	} else {
		if stop = bytes.IndexAny(value, spaces); stop < 0 {
			stop = len(value)
		}
		a.value = value[:stop]
	}
	a.whole = rest[:begin+stop]
	return a, rest[begin+stop:], true
}

// tag returns a start tag without what must not be stored, nil if it has nothing of that. typed says that the person may type
// into the element.
func tag(raw []byte, name string, closed bool) (clean []byte, typed bool) {
	written, rest := nameOf(raw)
	var of meta
	if name == "meta" {
		of = metaOf(rest)
	}
	changed := false
	for left := rest; ; {
		a, after, ok := next(left)
		if !ok {
			break
		}
		left = after
		key := strings.ToLower(string(a.name))
		typed = typed || key == "contenteditable" && !strings.EqualFold(decode(a.value), "false")
		_, same := of.value(name, key, a.value)
		changed = changed || !same
	}
	if !changed {
		return nil, typed
	}
	clean = append(append(clean, '<'), written...)
	for left := rest; ; {
		a, after, ok := next(left)
		if !ok {
			break
		}
		left = after
		key := strings.ToLower(string(a.name))
		if value, same := of.value(name, key, a.value); same {
			clean = append(append(clean, ' '), a.whole...)
		} else if value != "" {
			clean = append(append(append(append(clean, ' '), key...), `="`...), html.EscapeString(value)...)
			clean = append(clean, '"')
		}
	}
	if closed {
		clean = append(clean, " /"...)
	}
	return append(clean, '>'), typed
}

// links are the attributes with an address.
var links = texts.Words("href src action cite formaction poster data background longdesc manifest xlink:href codebase classid profile icon lowsrc dynsrc")

// gone are the attributes that are left out, beside on* and data-*.
var gone = texts.Words("value checked srcdoc srcset imagesrcset nonce ping archive")

// value returns the new value of an attribute, "" to leave the attribute out, and whether it is unchanged. raw is the value as
// written.
func (m meta) value(element, name string, raw []byte) (clean string, same bool) {
	switch {
	case gone[name] || strings.HasPrefix(name, "on") || strings.HasPrefix(name, "data-"):
		return "", false
	case len(raw) == 0:
		return "", true
	case name == "content" && element == "meta":
		return m.content(decode(raw))
	case name == "style":
		if clean := css([]byte(decode(raw))); clean != nil {
			return string(clean), false
		}
	case links[name]:
		text := decode(raw)
		clean = link(text)
		return clean, clean == text
	}
	return "", true
}

var (
	cssURL    = regexp.MustCompile(`(?i)url\([^)]+`)
	cssImport = regexp.MustCompile(`(?i)@import[^;]+`)
)

// css returns styles without addresses, nil if they have none.
func css(text []byte) []byte {
	if !cssURL.Match(text) && !cssImport.Match(text) {
		return nil
	}
	return cssImport.ReplaceAllFunc(cssURL.ReplaceAllFunc(text, func(m []byte) []byte { return m[:len("url(")] }), func(m []byte) []byte { return m[:len("@import")] })
}
