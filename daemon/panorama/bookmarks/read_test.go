package bookmarks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each kind of file has the same two pages, in the folders and tags that the kind can say.
var kinds = map[string]struct {
	text    string
	folders string // "name links" of each
}{
	"bookmarks of a browser": {`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks Menu</H1>
<DL><p><DT><H3 ADD_DATE="1">Hobbies</H3><DL><p>
<DT><H3>Birds</H3><DL><p><DT><A HREF="http://birds.test/owls" TAGS="night,quiet">Owls &amp; more</A>
<DD>what I wrote
</DL><p></DL><p>
<DT><A HREF="http://birds.test/gulls">Gulls</A>
<DT><A HREF="javascript:alert(1)">Do it</A><DT><A HREF="place:sort=8">Recent</A></DL>`, "Hobbies 1, Hobbies / Birds 1, night 1, quiet 1"},
	"Pocket's page": {`<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
<li><a href="http://birds.test/owls" time_added="1" tags="night">Owls &amp; more</a></li></ul><h1>Read Archive</h1>
<ul><li><a href="http://birds.test/gulls" tags="">Gulls</a></li></ul></body></html>`, "Read Archive 1, Unread 1, night 1"},
	"Pocket's table": {"title,url,time_added,tags,status\n\"Owls & more\",http://birds.test/owls,1,night|quiet,unread\nGulls,http://birds.test/gulls,2,,archive\nMail,mailto:a@b.test,2,,archive\n", "night 1, quiet 1"},
	"OPML": {`<?xml version="1.0"?><opml version="2.0"><body><outline text="Birds"><outline text="Owls &amp; more" type="rss" xmlUrl="http://birds.test/owls.xml" htmlUrl="http://birds.test/owls"/>
</outline><outline text="Gulls" url="http://birds.test/gulls"/></body></opml>`, "Birds 1"},
	"bookmarks of Chromium": {`{"roots": {"bar": {"children": [{"children": [{"name": "Owls & more", "type": "url", "url": "http://birds.test/owls"}], "name": "Birds", "type": "folder"}], "name": "Bar"},
"other": {"children": [{"name": "Gulls", "url": "http://birds.test/gulls"}], "name": "Other"}}}`, "Bar 1, Bar / Birds 1, Other 1"},
	"Hister's documents": {"[\n" + `{"url": "http://birds.test/owls", "title": "Owls & more", "label": "birds", "text": "x"}` + "\n,\n" + `{"url": "http://birds.test/gulls", "title": "Gulls", "label": ""}` + "\n]", "birds 1"},
	"Markdown":           {"# Birds\n\n- [Owls & more](http://birds.test/owls)\n\n## Sea\n* Gulls: <http://birds.test/gulls>\n", "Birds 2, Birds / Sea 1"},
	"text":               {"http://birds.test/owls Owls & more\nGulls - http://birds.test/gulls.\n\nnothing here\n", ""},
	"BibTeX":             {"@misc{a, title = {Owls \\& more}, url = {http://birds.test/owls}}\n@misc{b, title = {Gulls}, howpublished = {\\url{http://birds.test/gulls}}}", ""},
	"RIS":                {"TY  - JOUR\nTI  - Owls & more\nUR  - http://birds.test/owls\nER  - \n\nTY  - JOUR\nTI  - Gulls\nUR  - http://birds.test/gulls\nER  - \n", ""},
}

func TestRead(t *testing.T) {
	for name, c := range kinds {
		l, err := Read(t.Context(), []byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got, folders []string
		for _, link := range l.Links {
			got = append(got, link.URL+" "+link.Title)
		}
		for _, f := range l.Folders() {
			folders = append(folders, fmt.Sprint(f.Name, " ", f.Links))
			if n := len(l.Within(f.Name)); n != f.Links {
				t.Errorf("%s: %d links within %s, want %d", name, n, f.Name, f.Links)
			}
		}
		if want := []string{"http://birds.test/owls Owls & more", "http://birds.test/gulls Gulls"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if s := strings.Join(folders, ", "); s != c.folders {
			t.Errorf("%s: folders %q, want %q", name, s, c.folders)
		}
	}
}

// A page that occurs twice is in the folders of both. Secrets are redacted, and other addresses than those of the web are counted.
func TestReadOnce(t *testing.T) {
	l, err := Read(t.Context(), []byte(`<dl><h3>A</h3><dl><a href="http://a.test/#top">One</a></dl><h3>B</h3><dl><a href="HTTP://A.test">Again</a>
<a href="https://joe:hunter2@b.test/?session_id=0123456789abcdef0123456789abcdef">Mine</a><a href="file:///etc/passwd">F</a><a>none</a></dl>`))
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Links) != 2 || l.NoWeb != 1 || !slices.Equal(l.Links[0].In, []string{"A", "B"}) || l.Links[0].Title != "One" {
		t.Errorf("%+v", l)
	}
	if all := fmt.Sprint(l.Links); strings.Contains(all, "hunter2") || strings.Contains(all, "0123456789abcdef") {
		t.Errorf("a secret is left: %s", all)
	}
	if n := len(l.Within("B")); n != 2 {
		t.Errorf("%d links within B", n)
	}
}

func TestReadErrors(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"nothing": {"", ErrNone}, "words": {"no address here", ErrNone}, "PDF": {"%PDF-1.4 http://a.test/", ErrKind},
		"binary": {"SQLite format 3\x00http://a.test/", ErrKind}, "large": {strings.Repeat(" ", MaxBytes+1), ErrTooLarge},
	} {
		if _, err := Read(t.Context(), []byte(c.body)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// Files that are built to cost memory or time end soon, and their links are found.
func TestReadHostile(t *testing.T) {
	const deep = 200_000
	link := `<a href="http://a.test/">A</a>`
	many := &strings.Builder{}
	for i := range MaxLinks + 10 {
		fmt.Fprintf(many, "http://a.test/%d\n", i)
	}
	for name, text := range map[string]string{
		"deep lists":     strings.Repeat("<h3>x</h3><dl>", deep) + link,
		"deep outlines":  "<opml>" + strings.Repeat(`<outline text="x">`, deep) + `<outline url="http://a.test/"/>`,
		"deep JSON":      strings.Repeat("[", 9000) + `"http://a.test/"` + strings.Repeat("]", 9000) + "\nhttp://a.test/",
		"closed lists":   strings.Repeat("</dl>", deep) + link,
		"long name":      "<h3>" + strings.Repeat("x", 5<<20) + "</h3><dl>" + link + "</dl>",
		"many tags":      `<a href="http://a.test/" tags="` + strings.Repeat("a,", deep) + `">`,
		"half a tag":     link + `<a href="http://b.test/`,
		"quote in table": "url,title\nhttp://a.test/,A\n\"http://b.test/" + strings.Repeat("x\n", deep),
		"many links":     many.String(),
	} {
		l, err := Read(t.Context(), []byte(text))
		if name == "deep JSON" {
			continue // it is no JSON, or has no object: anything but a panic will do
		}
		if err != nil || len(l.Links) == 0 || len(l.Links) > MaxLinks || len(l.Links[0].In) > maxIn {
			t.Errorf("%s: %v", name, err)
		}
		if name == "many links" && l.Over != 10 {
			t.Errorf("%d links are over", l.Over)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range kinds {
		f.Add([]byte(c.text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		l, err := Read(t.Context(), body)
		if err != nil {
			return
		}
		for _, link := range l.Links {
			if !strings.HasPrefix(link.URL, "http") || link.Title == "" || len(link.Title) > max(maxTitle, len(link.URL)) {
				t.Errorf("%+v", link)
			}
		}
		for _, folder := range l.Folders() {
			if n := len(l.Within(folder.Name)); n < folder.Links {
				t.Errorf("%d links within %q, want %d", n, folder.Name, folder.Links)
			}
		}
	})
}
