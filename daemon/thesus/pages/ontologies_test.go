package pages

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/webtest"
)

// uploadTree sends a file as the page of ontologies does.
func (f *fixture) uploadTree(t *testing.T, file []byte, fields url.Values) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	fields.Set("from", "file")
	for name, values := range fields {
		if err := m.WriteField(name, values[0]); err != nil {
			t.Fatal(err)
		}
	}
	part, err := m.CreateFormFile("file", "music.txt")
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Ask(http.MethodPost, "/explore/ontologies", &body, "Content-Type", m.FormDataContentType())
}

// exported is an ontology as text.
func (f *fixture) exported(t *testing.T, path string) string {
	t.Helper()
	w := f.Get(path + "/export?format=text")
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d", path, w.Code)
	}
	return w.Body.String()
}

func TestOntologies(t *testing.T) {
	f := newFixture(t)
	if got := webtest.Text(f.Page(t, "/explore/ontologies").Find("#ontologies")); !strings.Contains(got, "There is no ontology yet") {
		t.Errorf("the empty list says %q", got)
	}
	w := f.uploadTree(t, []byte(musicTree), url.Values{"name": {"Music of today"}, "language": {"en"}})
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/explore/ontologies/1?done=ontology-made" {
		t.Fatalf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if got := f.exported(t, "/explore/ontologies/1"); got != musicTree {
		t.Errorf("imported\n%s", got)
	}
	from := func(fields ...string) string {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		to, _, _ := strings.Cut(f.MustPost(t, "/explore/ontologies", form), "?")
		return to
	}
	if got := f.exported(t, from("from", "wordnet", "sense", "tool.n.01", "depth", "1")); !strings.HasPrefix(got, "tool | instrument [tool.n.01]\n  drum") {
		t.Errorf("of WordNet\n%s", got)
	}
	if got := f.exported(t, from("from", "nothing", "name", "Bells")); got != "Bells\n" {
		t.Errorf("by hand\n%s", got)
	}
	d := f.Page(t, "/explore/ontologies")
	if got := webtest.Text(d.Find("tbody")); !strings.Contains(got, "Music of today7") || d.Find("tbody tr").Length() != 3 {
		t.Errorf("the list has %q", got)
	}
	f.words.net = nil
	if got := f.Page(t, "/explore/ontologies").Find("form input[value=wordnet]").Length(); got != 0 {
		t.Error("a form for WordNet without WordNet")
	}
	if to := f.MustPost(t, "/explore/ontologies/1/name", url.Values{"name": {"Sound"}}); to != "/explore/ontologies/1?done=ontology-named" {
		t.Errorf("renamed, to %q", to)
	}
	if got := webtest.Text(f.Page(t, "/explore/ontologies/1/delete").Find("main")); !strings.Contains(got, "its 7 terms") {
		t.Errorf("asks %q", got)
	}
	f.MustPost(t, "/explore/ontologies/1/delete", nil)
	for _, path := range []string{"/explore/ontologies/1", "/explore/ontologies/1/export", "/explore/ontologies/99/delete", "/explore/ontologies/x"} {
		if w := f.Get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// shown are the labels of the terms on a page, those with an open branch with a -, with a closed one with a +.
func shown(d *goquery.Document) string {
	var all []string
	d.Find(".ontology-row").Each(func(_ int, row *goquery.Selection) {
		sign := map[string]string{"true": "-", "false": "+"}[row.Find(".ontology-toggle").AttrOr("aria-expanded", "")]
		all = append(all, sign+webtest.Text(row.Find(".ontology-label")))
	})
	return strings.Join(all, " ")
}

// TestTreeOpens: the page shows the first level, and then what is opened, as a browser without scripts asks for it.
func TestTreeOpens(t *testing.T) {
	f := newFixture(t)
	path := ontologyAt(f.withOntology(t))
	d := f.Page(t, path)
	press := func(name, key string) {
		t.Helper()
		form := d.Find("#ontology-rows").Closest("form")
		q := url.Values{}
		form.Find("input[type=hidden]").Each(func(_ int, one *goquery.Selection) { q.Add(one.AttrOr("name", ""), one.AttrOr("value", "")) })
		if form.Find(fmt.Sprintf("button[name=%s][value=%s]", name, key)).Length() != 1 {
			t.Fatalf("no button %s=%s", name, key)
		}
		q.Add(name, key)
		d = f.Page(t, form.AttrOr("action", "")+"?"+q.Encode())
	}
	for _, step := range []struct{ name, key, want, current string }{
		{"", "", "-music +tools +genre", "music"},
		{"toggle", "tools", "-music -tools +wind drum +genre", "music"},
		{"toggle", "wind", "-music -tools -wind flute drum +genre", "music"},
		{"term", "flute", "-music -tools -wind flute drum +genre", "flute"},
		{"toggle", "tools", "-music +tools +genre", "flute"},
		{"toggle", "music", "+music", "flute"},
		{"toggle", "music", "-music +tools +genre", "flute"},
	} {
		if step.name != "" {
			press(step.name, step.key)
		}
		if got := shown(d); got != step.want || webtest.Text(d.Find("h2#ontology-term")) != step.current {
			t.Errorf("after %s %s: %q with %q", step.name, step.key, got, webtest.Text(d.Find("h2#ontology-term")))
		}
	}
	if got := shown(f.Page(t, path+"?term=flute")); got != "-music -tools -wind flute drum +genre" {
		t.Errorf("the way to a term: %q", got)
	}
	d = f.Page(t, path+"?q=INSTRU")
	if got := webtest.Text(d.Find(".ontology-hits li")); got != "tools | instruments below music" {
		t.Errorf("found %q", got)
	}
	if got := webtest.Text(f.Page(t, path+"?q=zither").Find(".ontology-hits")); !strings.HasPrefix(got, "No term has") {
		t.Errorf("found %q", got)
	}
}

// TestEditTerms makes each change by the forms of the page, and takes them all back.
func TestEditTerms(t *testing.T) {
	f := newFixture(t)
	path := ontologyAt(f.mustImport(t, "", musicTree).ID)
	edit := func(fields ...string) {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Add(fields[i], fields[i+1])
		}
		if w := f.Get(f.MustPost(t, path+"/edit", form)); w.Code != http.StatusOK {
			t.Errorf("%q leads to %d", fields, w.Code)
		}
	}
	edit("do", "add", "term", "drum", "new", "snare | side drum")
	edit("do", "rename", "term", "genre", "labels", "style\r\ngenre\r\n")
	edit("do", "move", "term", "jazz", "parent", "music > Tools")
	edit("do", "down", "term", "wind")
	edit("do", "up", "term", "jazz")
	edit("do", "out", "term", "flute")
	edit("do", "choose", "term", "drum", "sense", "drum.n.01")
	edit("do", "choose", "term", "wind", "sense", "wind.n.01")
	edit("do", "remove", "term", "genre")
	const want = `music
  tools | instruments
    drum
      snare | side drum
    jazz
    wind | pipe [wind.n.01]
    flute
`
	if got := f.exported(t, path); got != want {
		t.Errorf("after the changes\n%s\nwant\n%s", got, want)
	}
	d := f.Page(t, path)
	if got := webtest.Text(d.Find("#ontology-last")); got != "remove “style” (9 changes)" {
		t.Errorf("undo says %q", got)
	}
	for range 9 {
		f.MustPost(t, path+"/undo", url.Values{"term": {"music"}, "view": {""}})
	}
	if got := f.exported(t, path); got != musicTree {
		t.Errorf("after all undos\n%s", got)
	}
	if w := f.Post(path+"/undo", nil); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("one undo too many: %d", w.Code)
	}
	if got := webtest.Text(f.Page(t, path).Find("#ontology-next")); got != "add “snare” below “drum”" {
		t.Errorf("redo says %q", got)
	}
	for range 9 {
		f.MustPost(t, path+"/redo", nil)
	}
	if got := f.exported(t, path); got != want {
		t.Errorf("after all redos\n%s", got)
	}
}

func TestEditTermsRefuses(t *testing.T) {
	f := newFixture(t)
	path := ontologyAt(f.mustImport(t, "", musicTree+"  wind\n").ID)
	for want, form := range map[string]url.Values{
		"needs a label":            {"do": {"rename"}, "term": {"jazz"}, "labels": {" \n "}},
		"2 terms are named so":     {"do": {"move"}, "term": {"jazz"}, "parent": {"wind"}},
		"cannot be put below":      {"do": {"move"}, "term": {"tools"}, "parent": {"flute"}},
		"cannot be removed":        {"do": {"remove"}, "term": {"music"}},
		"is there already":         {"do": {"up"}, "term": {"tools"}},
		"no such term any more":    {"do": {"add"}, "term": {"gone"}, "new": {"x"}},
		"keep at least one sense":  {"do": {"choose"}, "term": {"wind"}},
		"this form cannot be used": {"do": {"burn"}, "term": {"wind"}},
	} {
		w := f.Post(path+"/edit", form)
		if got := strings.ToLower(webtest.Text(webtest.Tree(t, w).Find("body"))); w.Code != http.StatusUnprocessableEntity || !strings.Contains(got, want) {
			t.Errorf("%v: %d, no %q", form, w.Code, want)
		}
	}
	if got := f.exported(t, path); got != musicTree+"  wind\n" {
		t.Errorf("changed to\n%s", got)
	}
	// The part that a script puts in place says it in full, since the field is not marked there.
	move := url.Values{"do": {"move"}, "term": {"jazz"}, "view": {""}, "parent": {"nowhere"}}
	if got := webtest.Text(webtest.Tree(t, f.PostPart(path+"/edit", move)).Find(".banner.bad")); !strings.Contains(got, "No term is named") {
		t.Errorf("the banner says %q", got)
	}
}

// TestTreeOfAnotherTime: an address may name terms that are gone, and many, without harm.
func TestTreeOfAnotherTime(t *testing.T) {
	f := newFixture(t)
	path := ontologyAt(f.withOntology(t))
	q := url.Values{"term": {"gone"}, "at": {"gone"}, "see": {"gone"}, "open": {"music"}}
	for i := range 500 {
		q.Add("open", fmt.Sprint("gone", i))
	}
	d := f.Page(t, path+"?"+q.Encode())
	if got := shown(d); got != "-music +tools +genre" || d.Find("form[aria-label=Tree] input[name=open]").Length() != 2 {
		t.Errorf("shown %q", got)
	}
}

// TestFromTopicPage: without words of links the form says so, beside the topic.
func TestFromTopicPage(t *testing.T) {
	f := newFixture(t)
	topic, err := topics.Create(t.Context(), f.Store.DB, "Sailing")
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"from": {"topic"}, "topic": {fmt.Sprint(topic.ID)}, "terms": {"20"}}
	d := webtest.Tree(t, f.Post("/explore/ontologies", form))
	if got := webtest.Text(d.Find("#refused-problem")); !strings.Contains(got, "No stored page links to a page of the topic") || d.Find("select[aria-invalid=true]").Length() != 1 {
		t.Errorf("says %q", got)
	}
	for field, value := range map[string]string{"terms": "2001", "topic": "x"} {
		wrong := url.Values{"from": {"topic"}, "topic": {fmt.Sprint(topic.ID)}, "terms": {"20"}}
		wrong.Set(field, value)
		if d := webtest.Tree(t, f.Post("/explore/ontologies", wrong)); d.Find("[aria-invalid=true]").AttrOr("name", "") != field {
			t.Errorf("%s=%s is not refused", field, value)
		}
	}
}
