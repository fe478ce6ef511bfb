package feed

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"nightjar/daemon/lab/hostile"
)

// evil are texts of strangers that try to be markup.
var evil = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `]]><script>alert(1)</script>`, `</content></entry><entry>`,
	`<!ENTITY x SYSTEM "file:///etc/passwd">&x;`, "nul\x00bell\x07", "\ufffe\uffff", "\xff\xfe", `{{.}}`, `&lt;b&gt;`, "  ", "",
	"\u202eleft", `<?xml-stylesheet href="//evil.example"?>`, `" onclick="x`, `'`, "a\nb\tc", `<![CDATA[`, `\u003cscript\u003e`,
}

func made(text string) Feed {
	at := time.Date(2026, 11, 22, 5, 0, 0, 123, time.FixedZone("", 3600))
	address := "http://site.test/?q=" + url.QueryEscape(text)
	return Feed{ID: "urn:uuid:1", Title: "Nightjar: " + text, Self: "http://127.0.0.1:4774/feeds/t/atom.xml", Updated: at, Entries: []Entry{
		{ID: "urn:uuid:2", URL: address, Title: text, Site: "site.test", Snippet: text, Reason: text, Topic: "T" + text, FoundAt: at,
			Trail: []Step{{URL: address, Title: text}, {URL: "http://b.test/", Title: "B", Anchor: text}}},
		{ID: "urn:uuid:3", URL: "http://plain.test/", FoundAt: at.Add(-time.Hour), Topic: "T"},
	}}
}

const atomSpace = "http://www.w3.org/2005/Atom"

// node is any XML element.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

func (n node) all(name string) (found []node) {
	for _, c := range n.Nodes {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
	}
	return found
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// TestAtomRules holds feeds against RFC 4287, with plain and with hostile texts.
func TestAtomRules(t *testing.T) {
	for _, text := range slices.Concat([]string{"plain"}, evil, hostile.Texts(t)) {
		var out bytes.Buffer
		if err := Atom(&out, made(text)); err != nil {
			t.Fatal(err)
		}
		for _, problem := range atomProblems(out.Bytes()) {
			t.Errorf("%q: %s", text, problem)
		}
		if t.Failed() {
			t.Logf("%s", out.Bytes())
		}
	}
}

// TestAtomRulesCatch: the check of the rules is able to fail.
func TestAtomRulesCatch(t *testing.T) {
	var out bytes.Buffer
	if err := Atom(&out, made("plain")); err != nil {
		t.Fatal(err)
	}
	good := out.String()
	for name, change := range map[string][2]string{
		"no id":          {"<id>urn:uuid:1</id>", ""},
		"id twice":       {"<id>urn:uuid:1</id>", "<id>urn:uuid:1</id><id>urn:uuid:1</id>"},
		"same ids":       {"urn:uuid:3", "urn:uuid:2"},
		"relative id":    {"urn:uuid:1", "one"},
		"no author":      {"<author><name>Nightjar</name></author>", ""},
		"no time":        {"<updated>2026-11-22T04:00:00Z</updated>", "<updated>today</updated>"},
		"no self":        {`rel="self"`, `rel="related"`},
		"no link":        {`rel="alternate"`, `rel="related"`},
		"unknown type":   {`<title type="text">`, `<title type="markdown">`},
		"another space":  {atomSpace, "http://example.org/"},
		"markup in html": {`<content type="html">`, `<content type="html">&lt;script&gt;`},
	} {
		if bad := strings.Replace(good, change[0], change[1], 1); bad == good || len(atomProblems([]byte(bad))) == 0 {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
}

// atomProblems checks what RFC 4287 4.1 and 4.2 demand of a feed like ours.
func atomProblems(text []byte) (problems []string) {
	bad := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	var feed node
	dec := xml.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&feed); err != nil {
		return []string{err.Error()}
	}
	if _, err := dec.Token(); err != io.EOF {
		bad("more after the feed")
	}
	if feed.XMLName != (xml.Name{Space: atomSpace, Local: "feed"}) {
		bad("root %v", feed.XMLName)
	}
	known := []string{"id", "title", "updated", "published", "author", "name", "link", "category", "summary", "content", "entry"}
	var walk func(node)
	walk = func(n node) {
		for _, c := range n.Nodes {
			if c.XMLName.Space != atomSpace || !slices.Contains(known, c.XMLName.Local) {
				bad("element %v", c.XMLName)
			}
			walk(c)
		}
	}
	walk(feed)
	common := func(where string, n node, rel string) {
		for _, name := range []string{"id", "title", "updated"} { // 4.1.1, 4.1.2: exactly one
			if len(n.all(name)) != 1 {
				bad("%s: %d of %s", where, len(n.all(name)), name)
				return
			}
		}
		if u, err := url.Parse(n.all("id")[0].Text); err != nil || !u.IsAbs() { // 4.2.6
			bad("%s: id %q", where, n.all("id")[0].Text)
		}
		for _, name := range []string{"updated", "published"} { // 3.3
			for _, d := range n.all(name) {
				if _, err := time.Parse(time.RFC3339, d.Text); err != nil {
					bad("%s: %s %q", where, name, d.Text)
				}
			}
		}
		for _, name := range []string{"title", "summary", "content"} { // 3.1.1, 4.1.3.1
			for _, x := range n.all(name) {
				if kind := x.attr("type"); kind != "text" && kind != "html" || len(x.Nodes) > 0 {
					bad("%s: %s of type %q with %d elements", where, name, kind, len(x.Nodes))
				}
			}
		}
		rels := map[string]int{}
		for _, l := range n.all("link") { // 4.2.7
			rels[l.attr("rel")+" "+l.attr("type")]++
			if u, err := url.Parse(l.attr("href")); err != nil || u.Scheme != "http" && u.Scheme != "https" {
				bad("%s: link %q", where, l.attr("href"))
			}
		}
		if rels[rel] != 1 {
			bad("%s: links %v, want one %q", where, rels, rel)
		}
	}
	common("feed", feed, "self application/atom+xml")
	authors := feed.all("author")
	if len(authors) != 1 || len(authors[0].all("name")) != 1 || authors[0].all("name")[0].Text == "" { // 4.1.1, 4.2.1
		bad("authors %+v", authors)
	}
	if n := len(feed.all("entry")); n != 2 {
		bad("%d entries", n)
	}
	ids := map[string]bool{}
	for i, e := range feed.all("entry") {
		common(fmt.Sprintf("entry %d", i), e, "alternate text/html")
		if id := e.all("id"); len(id) == 1 && ids[id[0].Text] { // 4.1.1: no two entries alike
			bad("two entries with id %s", id[0].Text)
		} else if len(id) == 1 {
			ids[id[0].Text] = true
		}
		for _, c := range e.all("category") { // 4.2.2
			if c.attr("term") == "" {
				bad("a category without a term")
			}
		}
		content := e.all("content")
		if len(content) != 1 || len(e.all("summary")) > 1 {
			bad("%d contents", len(content))
			continue
		}
		problems = append(problems, htmlProblems(content[0].Text)...)
	}
	return problems
}

// htmlProblems complains of elements and attributes that are not ours.
func htmlProblems(text string) (problems []string) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return []string{err.Error()}
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if !slices.Contains([]string{"html", "head", "body", "p", "strong", "ol", "li", "a"}, n.Data) {
			problems = append(problems, "element "+n.Data)
		}
		for _, a := range n.Attr {
			if a.Key != "href" || !strings.HasPrefix(a.Val, "http://") {
				problems = append(problems, fmt.Sprintf("attribute %s=%q", a.Key, a.Val))
			}
		}
	}
	return problems
}

// TestJSONRules holds feeds against JSON Feed 1.1.
func TestJSONRules(t *testing.T) {
	for _, text := range slices.Concat([]string{"plain"}, evil, hostile.Texts(t)) {
		var out bytes.Buffer
		if err := JSON(&out, made(text)); err != nil {
			t.Fatal(err)
		}
		var feed map[string]any
		if err := json.Unmarshal(out.Bytes(), &feed); err != nil {
			t.Fatal(err)
		}
		if feed["version"] != "https://jsonfeed.org/version/1.1" || feed["title"] == "" || feed["feed_url"] != made(text).Self {
			t.Errorf("%q: %v", text, feed)
		}
		items, _ := feed["items"].([]any)
		if len(items) != 2 {
			t.Fatalf("%q: %d items", text, len(items))
		}
		ids := map[any]bool{}
		for _, one := range items {
			item := one.(map[string]any)
			id, _ := item["id"].(string)
			content, _ := item["content_html"].(string)
			if id == "" || ids[id] || content == "" { // an id is required and unique; so is one of the contents
				t.Errorf("%q: item %v", text, item)
			}
			ids[id] = true
			if u, err := url.Parse(item["url"].(string)); err != nil || u.Host == "" {
				t.Errorf("%q: url %v", text, item["url"])
			}
			if _, err := time.Parse(time.RFC3339, item["date_published"].(string)); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			for _, problem := range htmlProblems(content) {
				t.Errorf("%q: %s", text, problem)
			}
		}
		if strings.Contains(out.String(), "<script") { // as text of JSON, markup is escaped
			t.Errorf("%q: raw markup", text)
		}
	}
}

func TestEmptyFeed(t *testing.T) {
	var atom, js bytes.Buffer
	empty := Feed{ID: "urn:uuid:1", Title: "T", Self: "http://a.test/", Updated: time.Unix(1e9, 0)}
	if err := Atom(&atom, empty); err != nil || strings.Contains(atom.String(), "<entry") {
		t.Errorf("%s %v", &atom, err)
	}
	if err := JSON(&js, empty); err != nil || !strings.Contains(js.String(), `"items":[]`) {
		t.Errorf("%s %v", &js, err)
	}
}

func TestReasonAndTrailAreInside(t *testing.T) {
	var out bytes.Buffer
	f := made("x")
	f.Entries[0].Reason, f.Entries[0].Title = "Says “barrage”.", "Tides"
	if err := Atom(&out, f); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<summary type="text">Says “barrage”.</summary>`, `&lt;strong&gt;Says “barrage”.&lt;/strong&gt;`,
		`&lt;ol&gt;`, `by the link “x”`, `<title type="text">Tides</title>`, `<title type="text">http://plain.test/</title>`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %s\n%s", want, &out)
		}
	}
}
