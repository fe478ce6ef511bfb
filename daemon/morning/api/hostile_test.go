package api

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/morning/token"
)

// spoil adds a topic, a session, a crawl and a find for each text, with the text in every place that a stranger or a person
// can fill. It returns the texts; that of topic 100+i is the i-th.
func (f *fixture) spoil() (texts []string) {
	f.t.Helper()
	seen := map[string]bool{} // names of topics are one for SQLite if they differ by case alone, or only behind a NUL
	for _, text := range hostile.Texts(f.t) {
		text = strings.ToValidUTF8(text, "?")
		name, _, _ := strings.Cut(text, "\x00")
		if name = strings.ToLower(name); !seen[name] {
			seen[name] = true
			texts = append(texts, text)
		}
	}
	f.exec("BEGIN")
	for i, text := range texts {
		id := 100 + i
		address := fmt.Sprintf("http://h%d.test/?q=%s", id, url.QueryEscape(text))
		f.exec(`INSERT INTO topics (id, name, created_at) VALUES (?, ?, 1)`, id, text)
		f.exec(`INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (?1, ?1, 1, x'01', '{}', 1)`, id)
		f.exec(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at, title, problem) VALUES (?1, ?2, ?1, 'c', 'submitted', 5, ?3, ?3)`,
			id, fmt.Sprintf("0192f0c1-2d3e-7abc-8def-%012d", id), text)
		f.exec(`INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, stop_reason, created_at) VALUES (?1, ?1, ?1, ?2, '{}', 'ended', ?2, 1)`, id, text)
		f.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, title, anchor) VALUES (?1, ?2, 1, ?3, ?3, 'h.test', 'ok', 1, ?4, ?4)`,
			10*id, id, address+"&start", text)
		f.exec(`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, parent_id, title, anchor) VALUES (?1, ?2, 2, ?3, ?3, 'h.test', 'ok', 1, ?4, ?5, ?5)`,
			10*id+1, id, address, 10*id, text)
		f.exec(`INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, useful, found_at) VALUES (?1, ?1, ?1, ?2, ?3, ?4, ?4, .5, .5, 1)`,
			id, 10*id+1, address, text)
		f.exec(`INSERT INTO reasons (find_id, words, passage, like_url, like_title, like_at) VALUES (?1, json_array(?2, ?2), ?2, ?3, ?2, 1)`, id, text, address)
		f.exec(`INSERT INTO link_page (id, url, site) VALUES (?, ?, 'h.test')`, id, address)
		f.exec(`INSERT INTO link (id, src, dst, pos) VALUES (?1, ?1, 100, 0)`, id)
		f.exec(`INSERT INTO word (id, word) VALUES (?, ?)`, id, text)
		f.exec(`INSERT INTO link_word (link, word, n) VALUES (?1, ?1, 1)`, id)
	}
	f.exec("COMMIT")
	index := search.NewIndexer(f.Reader.Store, f.Log)
	for n := 1; n > 0; {
		var err error
		if n, err = index.Step(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
	}
	return texts
}

// strangers walks an answer and complains of a text from the web that is more than one line of visible text.
func strangers(t *testing.T, where string, answer any, inside bool) {
	t.Helper()
	switch v := answer.(type) {
	case map[string]any:
		for name, value := range v {
			strangers(t, where+" "+name, value, inside || name == "from_the_web")
		}
	case []any:
		for _, value := range v {
			strangers(t, where, value, inside)
		}
	case string:
		if inside && v != Plain(v) {
			t.Errorf("%s: %q", where, v)
		}
	}
}

// TestHostileAnswers asks each route of the table for what is full of hostile texts: JSON, well formed, with the same text.
func TestHostileAnswers(t *testing.T) {
	f := newFixture(t)
	f.db.SetMaxOpenConns(1)
	texts := f.spoil()
	get := func(path string) (answer map[string]any) {
		w := f.get(Base+path, f.read)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || !utf8.Valid(w.Body.Bytes()) {
			t.Fatalf("%s: %v", path, err)
		}
		strangers(t, path, answer, false)
		return answer
	}
	for _, one := range routes {
		if strings.Contains(one.path, "{id}") {
			for i := range texts {
				get(strings.Replace(one.path, "{id}", fmt.Sprint(100+i), 1))
			}
			continue
		}
		get(one.path + map[string]string{"/search": "?q=b", "/explore": "?q=[]"}[one.path])
	}
	said := mustGet[Exploration](f, "/explore?q="+url.QueryEscape("weightedGroupKeywords([], [])"))
	linked := mustGet[Exploration](f, "/explore?q=[]")
	texts = append(texts, "tide", "barrage") // of the fixture
	if said.Total != len(texts) || len(said.Words) != len(texts) || len(linked.Pages) != len(texts) {
		t.Errorf("%d of %d words, %d pages; want %d", len(said.Words), said.Total, len(linked.Pages), len(texts))
	}
	for _, one := range said.Words {
		if !slices.ContainsFunc(texts, func(text string) bool { return Plain(text) == one.FromTheWeb.Word }) {
			t.Errorf("a word became %q", one.FromTheWeb.Word)
		}
	}
	texts = texts[:len(texts)-2]
	topics := mustGet[TopicList](f, "/topics")
	for i, text := range texts {
		find := mustGet[Find](f, fmt.Sprintf("/finds/%d", 100+i))
		if find.Topic != text || find.FromTheWeb.Title != Plain(text) || find.FromTheWeb.Snippet != Plain(text) {
			t.Errorf("find %q became %+v", text, find)
		}
		if !slices.ContainsFunc(topics.Topics, func(t Topic) bool { return t.Name == text }) {
			t.Errorf("the topic %q is not listed", text)
		}
	}
}

// TestHostileParameters sends hostile texts as each parameter of each route.
func TestHostileParameters(t *testing.T) {
	f := newFixture(t)
	for _, one := range routes {
		for _, name := range one.params {
			texts := hostile.Joined(t, 8)
			if name == "q" {
				texts = hostile.Some(t) // a query has a syntax of its own
			}
			for _, text := range texts {
				values := url.Values{name: {text}}
				if one.path == "/search" && name != "q" {
					values.Set("q", "barrage")
				}
				w := f.get(Base+one.path+"?"+values.Encode(), f.read)
				if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
					t.Errorf("%s with %s=%.60q: %d %s", one.path, name, text, w.Code, w.Body)
				}
			}
		}
	}
}

// TestHostileFeeds reads the feeds of topics with hostile names and finds.
func TestHostileFeeds(t *testing.T) {
	f := newFixture(t)
	f.db.SetMaxOpenConns(1)
	for i, text := range f.spoil() {
		f.exec("DELETE FROM tokens") // there may be a hundred
		atom, js := FeedPaths(f.token(token.ScopeFeed, int64(100+i)))
		want := Plain(text)
		if want == "" {
			want = fmt.Sprintf("http://h%d.test/?q=%s", 100+i, url.QueryEscape(text)) // a find without a title is named by its address
		}
		var a struct {
			Title   string `xml:"title"`
			Entries []struct {
				Title    string `xml:"title"`
				Content  string `xml:"content"`
				Category struct {
					Term string `xml:"term,attr"`
				} `xml:"category"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal(f.get(atom, "").Body.Bytes(), &a); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(a.Entries) != 1 || a.Title != "Nightjar: "+Plain(text) || a.Entries[0].Title != want || a.Entries[0].Category.Term != Plain(text) {
			t.Errorf("%q became %+v", text, a)
			continue
		}
		ours(t, text, a.Entries[0].Content)
		var j struct {
			Title string
			Items []struct {
				Title string
				HTML  string `json:"content_html"`
				Tags  []string
			}
		}
		if err := json.Unmarshal(f.get(js, "").Body.Bytes(), &j); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(j.Items) != 1 || j.Title != a.Title || j.Items[0].Title != want || j.Items[0].HTML != a.Entries[0].Content || j.Items[0].Tags[0] != Plain(text) {
			t.Errorf("%q became %+v", text, j)
		}
	}
}

// ours complains of elements and attributes that a text brought.
func ours(t *testing.T, text, content string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && !slices.Contains([]string{"html", "head", "body", "p", "strong", "ol", "li", "a"}, n.Data) {
			t.Errorf("%q brought <%s>", text, n.Data)
		}
		for _, a := range n.Attr {
			if a.Key != "href" || !strings.HasPrefix(a.Val, "http://h") {
				t.Errorf("%q brought %s=%q", text, a.Key, a.Val)
			}
		}
	}
}
