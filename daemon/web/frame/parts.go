package frame

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
)

// void are the elements without an end tag.
var void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// parts returns the elements of a page with the given ids, in the order of the page. A part inside another one is sent with
// it.
func parts(page []byte, ids []string) []byte {
	var out bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(page))
	depth := 0 // of open elements from a wanted one on
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return out.Bytes() // the end
		}
		raw := slices.Clone(z.Raw())
		name, attributes := z.TagName()
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			wanted := depth > 0
			for attributes && !wanted {
				var key, value []byte
				key, value, attributes = z.TagAttr()
				wanted = string(key) == "id" && slices.Contains(ids, string(value))
			}
			if !wanted {
				continue
			}
			out.Write(raw)
			if kind == html.StartTagToken && !slices.Contains(void, string(name)) {
				depth++
			}
			continue
		}
		if depth > 0 {
			out.Write(raw)
			if kind == html.EndTagToken {
				depth--
			}
		}
	}
}
