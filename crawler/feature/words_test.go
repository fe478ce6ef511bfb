package feature

import (
	"testing"
)

func TestWords(t *testing.T) {
	for f, want := range map[string]string{
		"w=cs": "the page says cs", "t=cs": "the title says cs", "h=cs": "a heading says cs",
		"H=research interests": "a heading is “research interests”", "hset=homepage": "headings like those of a homepage",
		"rep": "a list on the page", "rep=16": "a list of 16 or more on the page", "rep.a": "a list of links on the page",
		"u=~": "~ in the address", "u=~svc": "~svc in the address", "u=page=2": "page=2 in the address",
		"x=html": "the address ends in .html", "d=0": "the front page of a site", "d=1": "1 part in the address",
		"d=3": "3 parts in the address", "d=5": "5 or more parts in the address",
		"a=cs": "the link says cs", "b=cs": "cs before the link", "f=cs": "cs after the link",
		"n=0": "no words in the link", "n=1": "1 word in the link", "n=4": "4 words in the link", "n=5": "5 or more words in the link",
		"host=same": "a link to the same site", "host=other": "a link to another site", "inrep": "part of a list",
		"u=100%": "100% in the address",

		"": "", "what": "what", "z=cs": "z=cs", "w=": "w=", "w": "w",
	} {
		if got := Words(f); got != want {
			t.Errorf("%s: %q, want %q", f, got, want)
		}
	}
}
