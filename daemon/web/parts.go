package web

import (
	"bytes"
	"slices"

	"github.com/PuerkitoBio/goquery"
)

// parts returns the elements of a page with the given ids, in the order of the page. A part inside another one is sent with
// it.
func parts(page []byte, ids []string) ([]byte, error) {
	d, err := goquery.NewDocumentFromReader(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	wanted := d.Find("[id]").FilterFunction(func(_ int, e *goquery.Selection) bool { return slices.Contains(ids, e.AttrOr("id", "")) })
	var out bytes.Buffer
	for _, e := range wanted.NotSelection(wanted.Find("[id]")).EachIter() {
		if err := goquery.Render(&out, e); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
