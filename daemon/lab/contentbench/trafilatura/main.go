// Trafilatura extracts the main content of pages with go-trafilatura and with the two libraries that it falls back to. It
// is a separate module, so that Nightjar does not depend on them. contentbench builds and starts it; it reads
// contentbench's requests and prints a list of its answers for each, one JSON value per line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/go-shiori/dom"
	readability "github.com/go-shiori/go-readability"
	distiller "github.com/markusmobius/go-domdistiller"
	"github.com/markusmobius/go-trafilatura"
)

type request struct {
	URL    string `json:"url"`
	HTML   []byte `json:"html"`
	Rounds int    `json:"rounds"`
}

type answer struct {
	Name string        `json:"name"`
	HTML string        `json:"html"`    // of the content
	Took time.Duration `json:"took_ns"` // the fastest round
}

type extractor struct {
	name string
	html func(u *url.URL, page []byte) (string, error)
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "trafilatura: error:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	decode, encode := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(w)
	for {
		var r request
		if err := decode.Decode(&r); err == io.EOF {
			return w.Flush()
		} else if err != nil {
			return err
		}
		u, err := url.Parse(r.URL)
		if err != nil {
			return err
		}
		var answers []answer
		for _, e := range extractors() {
			answers = append(answers, e.measure(u, &r))
		}
		if err := encode.Encode(answers); err != nil {
			return err
		}
	}
}

// measure extracts one page several times. A page that the library rejects has no content.
func (e extractor) measure(u *url.URL, r *request) answer {
	a := answer{Name: e.name}
	for range r.Rounds {
		began := time.Now()
		html, err := e.html(u, r.HTML)
		if took := time.Since(began); a.Took == 0 || took < a.Took {
			a.Took = took
		}
		if err == nil {
			a.HTML = html
		}
	}
	return a
}

func extractors() []extractor {
	return []extractor{
		{"trafilatura", trafilaturaWith(trafilatura.Balanced, false)},
		{"trafilatura, fallback", trafilaturaWith(trafilatura.Balanced, true)},
		{"trafilatura, recall", trafilaturaWith(trafilatura.FavorRecall, true)},
		{"readability", func(u *url.URL, page []byte) (string, error) {
			article, err := readability.FromReader(bytes.NewReader(page), u)
			if err != nil {
				return "", err
			}
			return dom.OuterHTML(article.Node), nil
		}},
		{"dom distiller", func(u *url.URL, page []byte) (string, error) {
			result, err := distiller.ApplyForReader(bytes.NewReader(page), &distiller.Options{OriginalURL: u, SkipPagination: true})
			if err != nil {
				return "", err
			}
			return dom.OuterHTML(result.Node), nil
		}},
	}
}

// trafilaturaWith extracts content and comments, since replies in a forum count as content.
func trafilaturaWith(focus trafilatura.ExtractionFocus, fallback bool) func(*url.URL, []byte) (string, error) {
	return func(u *url.URL, page []byte) (string, error) {
		result, err := trafilatura.Extract(bytes.NewReader(page), trafilatura.Options{
			OriginalURL: u, Focus: focus, EnableFallback: fallback, HtmlDateMode: trafilatura.Disabled,
		})
		if err != nil {
			return "", err
		}
		return dom.OuterHTML(result.ContentNode) + dom.OuterHTML(result.CommentsNode), nil
	}
}
