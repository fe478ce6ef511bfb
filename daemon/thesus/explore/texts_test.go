package explore

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/links"
)

// letters is a world of pages of three kinds, that hubs of their kind link to. The texts say the kind, and links to the first
// page of each. Page 9 of each kind has no text.
func letters(t *testing.T) *world {
	t.Helper()
	var said []say
	for k, kind := range []string{"harbour", "violin", "orchard"} {
		for i := range 10 {
			for hub := range 2 {
				words := "page"
				if i == 0 {
					words += " " + kind
				}
				said = append(said, say{fmt.Sprintf("http://hub%d%d.test/", k, hub), fmt.Sprintf("http://%s.test/%d", kind, i), words})
			}
		}
	}
	w := newWorld(t, append(said, say{"http://hub00.test/", "http://unread.test/", "page"}))
	for _, kind := range []string{"harbour", "violin", "orchard"} {
		for i := range 9 {
			w.content(t, fmt.Sprintf("http://%s.test/%d", kind, i), "<title>Notes</title><p>Some "+kind+" secretword and page "+strings.Repeat(kind+" ", i)+"</p>")
		}
	}
	return w
}

// content stores a page that was visited.
func (w *world) content(t *testing.T, url, html string) {
	t.Helper()
	hash := sha256.Sum256([]byte(html))
	var zip bytes.Buffer
	z := gzip.NewWriter(&zip)
	if _, err := z.Write([]byte(html)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, w.path, `INSERT INTO contents (hash, gzip) VALUES (?, ?) ON CONFLICT DO NOTHING`, hash[:], zip.Bytes())
	storetest.Exec(t, w.path, `INSERT INTO pages (url, title, content_hash) VALUES (?, 'Notes', ?)`, url, hash[:])
	storetest.Exec(t, w.path, `UPDATE link_page SET hash = ? WHERE url = ?`, hash[:], url)
}

// TestTexts: pages are grouped by what they say, and a page without text by who links to it; names are words that pages and links have, and only
// words of links are kept.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := letters(t)
	m, _ := w.maker(t)
	g := made(t, m, Request{Options: GroupingOptions{Text: true}})
	if g.State != GroupingDone || !g.ByText() {
		t.Fatalf("%+v", g)
	}
	v := must(m.View(t.Context(), g.ID))(t)
	if v.Mode != Words || len(v.Warnings) != 0 || v.Default != len(v.Levels)-1 || v.Few != 7 {
		t.Errorf("%s %v %d %d", v.Mode, v.Warnings, v.Default, v.Few)
	}
	var labels []string
	for _, c := range v.Levels[v.Default].Clusters {
		label, _, _ := strings.Cut(c.Label, ",")
		labels = append(labels, label)
		for _, p := range c.Pages {
			if len(c.Pages) != 10 || !strings.Contains(v.Pages[p].URL, label) {
				t.Errorf("%s is in %q of %d pages", v.Pages[p].URL, c.Label, len(c.Pages))
			}
		}
	}
	if slices.Sort(labels); !slices.Equal(labels, []string{"harbour", "orchard", "violin"}) {
		t.Errorf("groups %v", labels)
	}
	if strings.Contains(v.text(), "secretword") {
		t.Error("a word that no link has is kept")
	}
	a := must(m.Ask(t.Context(), g.ID, "violin"))(t)
	if len(a.Groups) == 0 || a.Groups[0].Label != "violin" || len(a.Groups[0].Pages) != 9 {
		t.Errorf("%+v", a.Groups)
	}
	page := must(links.PageByURL(t.Context(), w.st.DB, "http://violin.test/3"))(t)
	about := must(m.PageOf(t.Context(), g.ID, page.ID))(t)
	if len(about.Description.Concepts) == 0 || about.Description.Concepts[0].Key != "violin" || about.Description.Words[0].N != 0 {
		t.Errorf("%+v", about.Description)
	}
}

// TestEarlierGroups: the options of groups that were made before there were groups by text mean senses of the words of links.
func TestEarlierGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	w.net.set(tiny())
	m, _ := w.maker(t)
	g := made(t, m, Request{})
	v := must(m.View(t.Context(), g.ID))(t)
	if v.Mode != Senses || g.ByText() {
		t.Fatalf("%s %+v", v.Mode, g)
	}
	if text := string(must(json.Marshal(g.Options))(t)); text != "{}" {
		t.Errorf("options are stored as %s, which those of earlier groups are not", text)
	}
}
