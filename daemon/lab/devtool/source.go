package devtool

import (
	"errors"
	"os"
	"path/filepath"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/model/webgraph"
)

// Root is the folder of the source tree: the working folder or the nearest one above it that holds go.tool.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.tool.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside the source tree")
		}
		dir = up
	}
}

// Load parses a page as a page load of a session; false when it cannot be read.
func Load(url string, html []byte) (webgraph.Load, bool) {
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil {
		return webgraph.Load{}, false
	}
	l := webgraph.Load{ID: url, URL: url, Site: weburl.Site(url), Title: p.Title, Text: p.Text, Declared: p.Language}
	for _, link := range p.Links {
		l.Links = append(l.Links, session.LinkOf(link))
	}
	return l, true
}
