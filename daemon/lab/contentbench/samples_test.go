package contentbench

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

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/tools/txtar"

	"nightjar/crawler/charset"
	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/daemon/lab/devtool"
)

// set is a set of pages that has tables of its own.
type set struct {
	name  string
	pages []*sample
}

// sample is a page whose content is known. The HTML is UTF-8.
type sample struct {
	url    string
	served []byte
	hidden []byte // as served, without markup that marks the content
	want   string // the content
	rank   [sha256.Size]byte
}

// Sizes of the sets of recorded pages.
const (
	drawn   = 50  // pages of a set
	perHost = 2   // pages of one host of the university
	least   = 100 // words of content that a drawn page has
	kept    = 500 // pages of a recording that are considered, in the order of the draw
)

// readSets reads the golden pages and draws the recorded ones from a folder, unless that is "".
func readSets(corpora string, seed uint64) ([]set, error) {
	pages, err := golden()
	if err != nil || corpora == "" {
		return []set{{"golden", pages}}, err
	}
	var documentation []*sample
	for _, s := range sites {
		pages, err := draw(filepath.Join(corpora, "docs", s.host+".warc.gz"), seed, s.label, drawn/len(sites), drawn)
		if err != nil {
			return nil, err
		}
		documentation = append(documentation, pages...)
	}
	university, err := draw(filepath.Join(corpora, "uic", "uic.warc.gz"), seed, byElement, drawn, perHost)
	return []set{{"golden", pages}, {"documentation", documentation}, {"university", university}}, err
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
		s := &sample{url: "http://example.com/" + filepath.Base(file), served: archive.Files[0].Data}
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
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(source))
	if err != nil {
		return "", err
	}
	doc.Find("body").Empty()
	head, err := doc.Html()
	if err != nil {
		return "", err
	}
	p, err := page.Parse(url, page.ContentUTF8, []byte(head))
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
		if chosen = append(chosen, c); len(chosen) == count {
			return chosen, nil
		}
	}
	return nil, fmt.Errorf("%s has %d pages that can be drawn; want %d", file, len(chosen), count)
}

// candidates are the first pages of a recording in the order of the draw.
func candidates(file string, seed uint64) ([]*sample, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var all []*sample
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
		all = append(all, &sample{url: address, served: body, rank: sha256.Sum256(fmt.Appendf(nil, "%d %s", seed, address))})
		if len(all) == 2*kept {
			all = first(all)
		}
	}
}

func first(all []*sample) []*sample {
	slices.SortFunc(all, func(a, b *sample) int {
		return cmp.Or(bytes.Compare(a.rank[:], b.rank[:]), cmp.Compare(a.url, b.url))
	})
	return all[:min(kept, len(all))]
}
