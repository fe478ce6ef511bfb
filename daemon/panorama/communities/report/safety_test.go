package report

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/panorama/communities"
	"nightjar/model/cluster"
	"nightjar/model/label"
	"nightjar/model/layout"
)

// full is a map of k communities whose lists are all full. text gives each text, address each address.
func full(k int, text func() string, address func() string) *communities.View {
	page := func() communities.Page {
		return communities.Page{URL: address(), Title: text(), Snippet: text(), Score: .5, P: .5, New: true}
	}
	ten := func() (all []communities.Page) {
		for range 10 {
			all = append(all, page())
		}
		return all
	}
	v := small()
	v.Map.Title, v.Document.Title, v.Document.Source, v.Topic, v.Provider = text(), text(), address(), text(), address()
	v.Crawl.Strategy, v.Crawl.StopReason = text(), text()
	v.Communities, v.Between, v.Titles, v.Queries, v.Positives, v.Gone, v.Warnings, v.Harvest = nil, nil, nil, nil, nil, nil, []string{text(), text(), text()}, nil
	for i := range k {
		c := communities.Community{N: i + 1, Name: text(), Size: 5000 / k, New: 7, Harvest: .5, Examples: ten(), Hubs: ten(), Authorities: ten(),
			Circle: layout.Circle{X: 60 + 90*float64(i%10), Y: 60 + 90*float64(i/10), R: 40}}
		for range 5 {
			c.Labels = append(c.Labels, label.Label{Text: text(), Expansion: text()})
		}
		for range 30 {
			c.Words = append(c.Words, cluster.Scored{Term: text()})
		}
		v.Communities = append(v.Communities, c)
		v.Between = append(v.Between, slices.Repeat([]float64{.9}, k))
	}
	for i := range 2000 {
		v.Titles, v.Queries = append(v.Titles, text()), append(v.Queries, text())
		v.Positives = append(v.Positives, trainingdata.Positive{URL: address(), Title: text(), Reasons: []trainingdata.PositiveReason{{Title: text()}, {}}})
		v.Harvest = append(v.Harvest, communities.HarvestPoint{Pages: i + 1, Rate: .5})
	}
	v.Gone, v.GoneAll = slices.Concat(ten(), ten(), ten(), ten(), ten(), ten(), ten(), ten(), ten(), ten()), 4000
	return v
}

// longest is more characters than a report shows of any text.
const longest = 600

// TestSize: no map makes a file of more than 1 MB, however long its texts are and whatever they consist of.
func TestSize(t *testing.T) {
	largest := 0
	always := func(s string) func() string { return func() string { return s } }
	for name, text := range map[string]string{
		"words": strings.Repeat("lorem ipsum ", 60), "ampersands": strings.Repeat("&", longest), "quotes": strings.Repeat(`"`, longest),
		"wide": strings.Repeat("😀", longest), "broken": strings.Repeat("\xff", longest), "zero": strings.Repeat("\x00", longest),
	} {
		l := cuts[len(cuts)-1]
		for _, k := range []int{8, l.communities + 10} {
			v := full(k, always(text), always("http://tides.test/?"+strings.Repeat("&", l.address-len("http://tides.test/?"))))
			var last bytes.Buffer
			if err := page.ExecuteTemplate(&last, "report.html", newSheet(v, l, true)); err != nil || last.Len() > MaxBytes {
				t.Errorf("%s, %d communities: %d bytes, %v", name, k, last.Len(), err)
			}
			largest = max(largest, last.Len())
		}
	}
	t.Logf("the largest has %d bytes", largest)
	if got := mustWrite(t, full(30, always(strings.Repeat("&", longest)), always("http://tides.test/"))); len(got) > MaxBytes {
		t.Errorf("%d bytes were written", len(got))
	}
}

// TestUsualMapsAreWhole: a map of 5,000 pages with texts of usual length is not shortened.
func TestUsualMapsAreWhole(t *testing.T) {
	n := 0
	text := func() string { n++; return fmt.Sprintf("%d %s", n, strings.Repeat("word ", 12)) }
	v := full(8, text, func() string { n++; return fmt.Sprintf("https://tides.test/%d/%s", n, strings.Repeat("path/", 14)) })
	v.Titles, v.Queries, v.Positives = v.Titles[:60], v.Queries[:60], v.Positives[:200]
	got := mustWrite(t, v)
	t.Logf("%d bytes", len(got))
	if bytes.Contains(got, []byte("were shortened")) {
		t.Error("it was shortened")
	}
	for _, c := range v.Communities {
		for _, p := range slices.Concat(c.Examples, c.Hubs, c.Authorities) {
			if !bytes.Contains(got, []byte(`href="`+p.URL+`"`)) {
				t.Fatalf("it lacks %s", p.URL)
			}
		}
	}
}

// TestShortenedMapsSayMore: what is left out is counted.
func TestShortenedMapsSayMore(t *testing.T) {
	long := strings.Repeat("word ", 300)
	got := string(mustWrite(t, full(30, func() string { return long }, func() string { return "http://tides.test/" })))
	for _, want := range []string{"were shortened", "The smallest communities are left out of this file: 10.", "and 1850 more", "and 3950 more", "and 1900 more"} {
		if !strings.Contains(got, want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// elements are those that a report may have; empty ones have no end tag.
var (
	elements = strings.Fields("html head title style body header main section h1 h2 h3 p ul ol li a bdi time span b div figure figcaption " +
		"table caption thead tbody tr th td dl dt dd svg desc g path text tspan circle rect")
	empty = []string{"meta"}
	drawn = []string{"path", "circle", "rect"} // of SVG, may end themselves
)

// check reads a report tag by tag: each is known and ends where it should, none runs or loads anything, ids are unique, links
// inside lead somewhere, and links outside to one of the allowed addresses.
func check(t *testing.T, file []byte, allowed map[string]bool) {
	t.Helper()
	if !utf8.Valid(file) {
		t.Error("not UTF-8")
	}
	z := html.NewTokenizer(bytes.NewReader(file))
	var open, inside []string
	ids := map[string]bool{}
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("not closed: %v", open)
			}
			for _, id := range inside {
				if !ids[id] {
					t.Errorf("no place is named %q", id)
				}
			}
			return
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("</%s> in %v", token.Data, open)
			}
			open = open[:len(open)-1]
		case html.SelfClosingTagToken:
			if !slices.Contains(drawn, token.Data) {
				t.Errorf("<%s/>", token.Data)
			}
		case html.StartTagToken:
			if slices.Contains(elements, token.Data) {
				open = append(open, token.Data)
			} else if !slices.Contains(empty, token.Data) {
				t.Fatalf("<%s> is no element of a report", token.Data)
			}
		}
		for _, a := range token.Attr {
			inside = append(inside, checkAttribute(t, token.Data, a, ids, allowed)...)
		}
	}
}

// checkAttribute checks an attribute and returns the id that it refers to.
func checkAttribute(t *testing.T, element string, a html.Attribute, ids, allowed map[string]bool) (inside []string) {
	t.Helper()
	known := strings.Fields("lang charset http-equiv content name class id href rel aria-labelledby aria-describedby aria-label role scope datetime data-name " +
		"viewbox fill fill-opacity stroke stroke-opacity stroke-width cx cy r d x y dy width height visibility pointer-events font-size text-anchor")
	switch {
	case !slices.Contains(known, strings.ToLower(a.Key)):
		t.Errorf("<%s %s=%q>", element, a.Key, a.Val)
	case a.Key == "id" && ids[a.Val]:
		t.Errorf("two places are named %q", a.Val)
	case a.Key == "id":
		ids[a.Val] = true
	case strings.HasPrefix(a.Key, "aria-labelledby"), strings.HasPrefix(a.Key, "aria-describedby"):
		return []string{a.Val}
	case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
		return []string{a.Val[1:]}
	case a.Key == "href" && !allowed[a.Val]:
		t.Errorf("a link to %q", a.Val)
	}
	return nil
}

// linked are the addresses of a map that may be linked.
func linked(v *communities.View) map[string]bool {
	all := map[string]bool{v.Document.Source: true}
	add := func(pages []communities.Page) {
		for _, p := range pages {
			all[p.URL] = true
		}
	}
	for _, c := range v.Communities {
		add(slices.Concat(c.Examples, c.Hubs, c.Authorities))
	}
	add(v.Gone)
	for _, p := range v.Positives {
		all[p.URL] = true
	}
	for address := range all { // not the page's own
		if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" {
			delete(all, address)
		}
	}
	return all
}

func TestValid(t *testing.T) {
	v := small()
	check(t, mustWrite(t, v), linked(v))
	lone := small()
	lone.Communities, lone.Between, lone.Harvest, lone.Earlier, lone.Document = lone.Communities[:1], [][]float64{{1}}, nil, nil, nil
	lone.Titles, lone.Queries, lone.Positives, lone.Warnings = nil, nil, nil, nil
	got := mustWrite(t, lone)
	v.Document.Source = ""
	check(t, got, linked(v))
	for _, never := range []string{"New", "Harvest", "probable", "Gone", "Positive", "sent to"} {
		if bytes.Contains(got, []byte(">"+never)) || bytes.Contains(got, []byte(" "+never)) {
			t.Errorf("a lone community without classifier and earlier map says %q", never)
		}
	}
}

// TestHostile: whatever a text or an address is, it stays text.
func TestHostile(t *testing.T) {
	for _, text := range hostile.Texts(t) {
		n, addresses := 0, []string{text, "http://tides.test/" + url.PathEscape(text), "http://tides.test/?" + url.QueryEscape(text)}
		v := full(1, func() string { return text }, func() string { n++; return addresses[n%len(addresses)] })
		v.Titles, v.Queries, v.Positives, v.Harvest = v.Titles[:2], v.Queries[:2], v.Positives[:6], v.Harvest[:2]
		check(t, mustWrite(t, v), linked(v))
		if t.Failed() {
			t.Fatalf("%q as texts and in addresses", text)
		}
	}
}

// TestOnlyTheWebIsLinked: other schemes, and addresses with a name and password, are shown as text.
func TestOnlyTheWebIsLinked(t *testing.T) {
	l := cuts[0]
	for address, want := range map[string]bool{
		"http://a.test/": true, "https://a.test/?b=%20c#d": true, "HTTPS://a.test/": true, "javascript:alert(1)": false, "data:text/html,x": false, "file:///etc/passwd": false,
		"//a.test/": false, "/a": false, "": false, "http:///a": false, "http://joe:secret@a.test/": false, "mailto:a@b.test": false, "http://%zz/": false,
		"http://a.test/" + strings.Repeat("x", l.address): false,
	} {
		if got := newLink(address, "x", l); (got.Href != "") != want {
			t.Errorf("%q: linked to %q", address, got.Href)
		}
	}
	if got := newLink("http://a.test/b/", "", l); got.Title != "a.test/b" {
		t.Errorf("a page without a title is called %q", got.Title)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {" abc ", 3, "abc"}, {"äöüß", 3, "äö…"}, {"a\xffb", 9, "a\ufffdb"}, {"", 3, ""}, {"a bcd", 3, "a…"}} {
		if got := cut(c.text, c.n); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// TestThin: a curve keeps its ends, its order and at most as many points as it may have.
func TestThin(t *testing.T) {
	for _, n := range []int{1, 10, 199, 200, 201, 5000} {
		all := make([]communities.HarvestPoint, n)
		for i := range all {
			all[i].Pages = i + 1
		}
		got := thin(all, 200)
		if len(got) != min(n, 200) || got[0].Pages != 1 || got[len(got)-1].Pages != n ||
			!slices.IsSortedFunc(got, func(a, b communities.HarvestPoint) int { return a.Pages - b.Pages }) {
			t.Errorf("%d of %d points, from %v to %v", len(got), n, got[0], got[len(got)-1])
		}
	}
}
