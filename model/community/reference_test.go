//go:build measure

package community

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
)

// On all articles of a small encyclopedia, the label of one of eight communities is about animals. TestFindsTheTopics
// always runs.
func TestEncyclopedia(t *testing.T) {
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name a folder of WARC files")
	}
	w := mustRead(t, filepath.Join(root, "wikispeedia", "articles.warc.gz"))
	began := time.Now()
	// All articles are of one site: as in the paper, links inside a site count.
	m, err := Find(t.Context(), w.pages, w.links, Options{All: true, Clusters: 8, Links: EveryLink, Seed: 1}, func(s Step) {
		t.Logf("%5.1f s: step %d of %d", time.Since(began).Seconds(), s+1, Steps)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%5.1f s: %d pages, %d links, %d terms, silhouette %.3f", time.Since(began).Seconds(), m.Kept, m.Links, m.Terms, m.Silhouette)
	animals := false
	for _, c := range m.Communities {
		var labels []string
		for _, l := range c.Labels {
			labels = append(labels, l.Text)
			if l.Expansion != "" {
				labels = append(labels, "("+l.Expansion+")")
			}
			animals = animals || l.Words[0] == "species"
		}
		t.Logf("%4d pages: %s; example %s, hub %s, authority %s", c.Size, strings.Join(labels, ", "),
			w.name(c.Examples), w.name(c.Hubs), w.name(c.Authorities))
	}
	if !animals {
		t.Error("no community has the label species")
	}
}

// corpus is a recorded web.
type corpus struct {
	pages []Page
	urls  []string
	links [][2]int
}

func (c corpus) name(list []Ranked) string {
	if len(list) == 0 {
		return "none"
	}
	return filepath.Base(c.urls[list[0].Page])
}

func mustRead(tb testing.TB, file string) (c corpus) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	var parsed []*page.Page
	at := map[string]int{}
	for r := warc.NewReader(f, info.Size()); ; {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(record.Block)), nil)
		if err != nil {
			continue // the record that says what the file is
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			tb.Fatal(err)
		}
		p, err := page.Parse(record.Target(), response.Header.Get("Content-Type"), body)
		if err != nil {
			tb.Fatal(err)
		}
		at[p.URL] = len(parsed)
		parsed, c.urls = append(parsed, p), append(c.urls, p.URL)
		c.pages = append(c.pages, Page{Text: p.Text, Site: "wikispeedia.test", Host: "wikispeedia.test"})
	}
	for i, p := range parsed {
		for _, l := range p.Links {
			if to, ok := at[l.URL]; ok {
				c.links = append(c.links, [2]int{i, to})
			}
		}
	}
	return c
}
