package page

import (
	"iter"

	"golang.org/x/net/html"

	"nightjar/crawler/weburl"
)

// startTags yields the name of each start tag outside noscript and template elements, and the base of the addresses there: that
// of the first base element with an address before it, else the one given. The attributes of the tag are still to be read from z,
// except for those of base.
func startTags(z *html.Tokenizer, base *weburl.Base) iter.Seq2[string, *weburl.Base] {
	return func(yield func(string, *weburl.Base) bool) {
		based, inert := false, ""
		for {
			kind := z.Next()
			if kind == html.ErrorToken {
				return
			}
			name, _ := z.TagName()
			tag := string(name)
			switch {
			case kind == html.EndTagToken && tag == inert:
				inert = ""
			case inert != "" || kind != html.StartTagToken && kind != html.SelfClosingTagToken:
			case tag == "noscript" || tag == "template":
				inert = tag
			case tag == "base" && !based:
				if href, ok := tagAttr(z, "href")["href"]; ok {
					base, based = base.With(trimURL(href)), true
				}
			case !yield(tag, base):
				return
			}
		}
	}
}

// tagAttr returns the values of the named attributes of the current tag.
func tagAttr(z *html.Tokenizer, names ...string) map[string]string {
	values := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		for _, name := range names {
			if _, ok := values[name]; !ok && string(key) == name {
				values[name] = string(value)
			}
		}
	}
	return values
}
