package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"

	"nightjar/crawler/charset"
	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/daemon/lab/devtool"
)

// sample is a page whose content is known. The HTML is UTF-8.
type sample struct {
	set    string
	url    string
	served []byte
	hidden []byte // as served, without markup that marks the content
	want   string // the content
}

// Sizes of the sets of recorded pages.
const (
	drawn   = 50  // pages of a set
	perHost = 2   // pages of one host of the university
	least   = 100 // words of content that a drawn page has
	kept    = 500 // pages of a recording that are considered, in the order of the draw
)

// readSamples reads the golden pages and draws the recorded ones.
func readSamples(o *options) ([]*sample, error) {
	samples, err := golden()
	if err != nil || o.Corpora == "" {
		return samples, err
	}
	for _, s := range sites {
		pages, err := draw(filepath.Join(o.Corpora, "docs", s.host+".warc.gz"), o.Seed, s.label, drawn/len(sites), drawn)
		if err != nil {
			return nil, err
		}
		samples = append(samples, named("documentation", pages)...)
	}
	pages, err := draw(filepath.Join(o.Corpora, "uic", "uic.warc.gz"), o.Seed, byElement, drawn, perHost)
	return append(samples, named("university", pages)...), err
}

func named(set string, pages []*sample) []*sample {
	for _, p := range pages {
		p.set = set
	}
	return pages
}

// golden reads the pages whose content was written down by hand, without titles and descriptions: those come from the head
// of a page, whichever way its content is extracted.
func golden() ([]*sample, error) {
	root, err := devtool.Root()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(root, "crawler", "page", "testdata", "content", "*.txtar"))
	if err != nil {
		return nil, err
	}
	var all []*sample
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			return nil, err
		}
		if len(archive.Files) != 2 {
			return nil, fmt.Errorf("%s holds %d files; want a page and its text", file, len(archive.Files))
		}
		s := &sample{set: "golden", url: "http://example.com/" + filepath.Base(file), served: archive.Files[0].Data}
		head, err := headText(s.url, s.served)
		if err != nil {
			return nil, err
		}
		s.want = strings.TrimPrefix(string(archive.Files[1].Data), head)
		if s.hidden, err = byElement.hide(s.served); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// headText is the part of a page's text that comes from its head: title and descriptions.
func headText(url string, source []byte) (string, error) {
	doc, err := html.Parse(bytes.NewReader(source))
	if err != nil {
		return "", err
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "body" {
			for n.FirstChild != nil {
				n.RemoveChild(n.FirstChild)
			}
			break
		}
	}
	var b bytes.Buffer
	if err := html.Render(&b, doc); err != nil {
		return "", err
	}
	p, err := page.Parse(url, page.ContentUTF8, b.Bytes())
	if err != nil {
		return "", err
	}
	return p.Text, nil
}

// draw takes pages of a recording in the order of a hash of seed and address: the first with enough labelled words, at
// most perHost of one host.
func draw(file string, seed uint64, l label, count, perHost int) ([]*sample, error) {
	candidates, err := candidates(file, seed)
	if err != nil {
		return nil, err
	}
	hosts := map[string]int{}
	var chosen []*sample
	for _, c := range candidates {
		u, err := url.Parse(c.url)
		if err != nil || hosts[u.Host] == perHost {
			continue
		}
		if c.want = l.text(c.served); len(words(c.want)) < least {
			continue
		}
		if c.hidden, err = l.hide(c.served); err != nil {
			return nil, err
		}
		hosts[u.Host]++
		if chosen = append(chosen, c.sample); len(chosen) == count {
			return chosen, nil
		}
	}
	return nil, fmt.Errorf("%s has %d pages that can be drawn; want %d", file, len(chosen), count)
}

// candidate is a page with its place in the draw.
type candidate struct {
	*sample
	rank [sha256.Size]byte
}

// candidates are the first pages of a recording in the order of the draw.
func candidates(file string, seed uint64) ([]candidate, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var all []candidate
	for r := warc.NewReader(f, info.Size()); ; {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return first(all), nil
		} else if err != nil {
			return nil, err
		}
		answer, err := record.Answer()
		if err != nil || answer.Status != http.StatusOK || !strings.Contains(answer.Header.Get("Content-Type"), "html") {
			continue
		}
		address := record.Header.Get("Warc-Target-Uri")
		body := charset.UTF8(answer.Header.Get("Content-Type"), answer.Body)
		all = append(all, candidate{&sample{url: address, served: body}, sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, address))})
		if len(all) == 2*kept {
			all = first(all)
		}
	}
}

func first(all []candidate) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(bytes.Compare(a.rank[:], b.rank[:]), cmp.Compare(a.url, b.url))
	})
	return all[:min(kept, len(all))]
}
