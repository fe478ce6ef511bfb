package contentbench

import (
	"bytes"
	"net/url"

	"github.com/go-shiori/dom"
	readability "github.com/go-shiori/go-readability"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"

	"nightjar/crawler/page"
)

// extractors are what is compared. Each returns the HTML of a page's content, Nightjar's its text.
var extractors = []struct {
	name    string
	extract func(u *url.URL, source []byte) (string, error)
}{
	{ours, func(u *url.URL, source []byte) (string, error) {
		p, err := page.Parse(u.String(), page.ContentUTF8, source)
		if err != nil {
			return "", err
		}
		return p.Text, nil
	}},
	{"trafilatura", trafilaturaWith(trafilatura.Balanced, false)},
	{"trafilatura, fallback", trafilaturaWith(trafilatura.Balanced, true)},
	{"trafilatura, recall", trafilaturaWith(trafilatura.FavorRecall, true)},
	{"readability", func(u *url.URL, source []byte) (string, error) {
		article, err := readability.FromReader(bytes.NewReader(source), u)
		if err != nil {
			return "", err
		}
		return dom.OuterHTML(article.Node), nil
	}},
	{"dom distiller", func(u *url.URL, source []byte) (string, error) {
		result, err := distiller.ApplyForReader(bytes.NewReader(source), &distiller.Options{OriginalURL: u, SkipPagination: true})
		if err != nil {
			return "", err
		}
		return dom.OuterHTML(result.Node), nil
	}},
	{wholeBody, func(_ *url.URL, source []byte) (string, error) { return string(source), nil }},
}

// Extractors that the figures treat differently.
const (
	ours      = "nightjar"
	wholeBody = "the whole body" // takes no time worth measuring
)

// trafilaturaWith extracts content and comments, since replies in a forum count as content.
func trafilaturaWith(focus trafilatura.ExtractionFocus, fallback bool) func(*url.URL, []byte) (string, error) {
	return func(u *url.URL, source []byte) (string, error) {
		result, err := trafilatura.Extract(bytes.NewReader(source), trafilatura.Options{
			OriginalURL: u, Focus: focus, EnableFallback: fallback, HtmlDateMode: trafilatura.Disabled,
		})
		if err != nil {
			return "", err
		}
		return dom.OuterHTML(result.ContentNode) + dom.OuterHTML(result.CommentsNode), nil
	}
}
