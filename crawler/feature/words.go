package feature

import "strings"

// said is what the kinds of features with a value mean, with % for the value.
var said = map[string]string{
	"w": "the page says %", "t": "the title says %", "h": "a heading says %", "H": "a heading is “%”",
	"hset": "headings like those of a %", "rep": "a list of % or more on the page",
	"u": "% in the address", "x": "the address ends in .%", "d": "% parts in the address",
	"a": "the link says %", "b": "% before the link", "f": "% after the link", "n": "% words in the link",
}

// alone is what features mean that the sentences of said do not fit.
var alone = map[string]string{
	"rep": "a list on the page", "rep.a": "a list of links on the page", "inrep": "part of a list",
	"host=same": "a link to the same site", "host=other": "a link to another site",
	"d=0": "the front page of a site", "d=1": "1 part in the address", "d=5": "5 or more parts in the address",
	"n=0": "no words in the link", "n=1": "1 word in the link", "n=5": "5 or more words in the link",
}

// Words says in plain words what a feature means: "the link says cs" for a=cs. A text that is no feature comes back as it is.
func Words(f string) string {
	if s, ok := alone[f]; ok {
		return s
	}
	kind, value, ok := strings.Cut(f, "=")
	s, known := said[kind]
	if !ok || !known || value == "" {
		return f
	}
	before, after, _ := strings.Cut(s, "%")
	return before + value + after
}
