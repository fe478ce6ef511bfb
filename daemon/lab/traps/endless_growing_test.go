package traps

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// A grower is a family of traps whose pages pass for good ones: each has a text that is new, or mostly so, and the
// addresses have no shape that a pattern for dates, numbers or IDs would match.
type grower struct {
	entrance string // path and query; all its addresses begin like it
	serve    func(*Farm) http.HandlerFunc
}

var growers = map[string]grower{
	"recombine": {"/deep/", func(f *Farm) http.HandlerFunc { return f.recombine }},
	"search":    {"/search?q=all", func(f *Farm) http.HandlerFunc { return f.search }},
	"related":   {"/item/first", func(f *Farm) http.HandlerFunc { return f.related }},
	"revisions": {"/wiki/Special/Diff?title=Home&old=1&new=2", func(f *Farm) http.HandlerFunc { return f.revisions }},
	"regions":   {"/shop/en/gb/gbp/", func(f *Farm) http.HandlerFunc { return f.regions }},
	"tags":      {"/posts/2026/11/about/", func(f *Farm) http.HandlerFunc { return f.tags }},
}

// Growing are the names of the families that grow with new text. They are not in Entrances.
func Growing() []string { return slices.Clone(growing) }

var growing = strings.Fields("recombine search related revisions regions tags")

// Entrance is the address that leads into a family of Growing on a host. Its traps also work on another host than their
// own, if that passes the addresses that HasGrown reports to Farm.Grow.
func Entrance(name, host string) string { return "http://" + host + growers[name].entrance }

// HasGrown reports whether a path belongs to a family of Growing.
func HasGrown(name, path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(growers[name].entrance, "/"), "/")
	first, _, _ = strings.Cut(first, "?")
	return path == "/"+first || strings.HasPrefix(path, "/"+first+"/")
}

// Grow serves a family of Growing on any host.
func (f *Farm) Grow(name string) http.Handler {
	serve := growers[name].serve(f)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case HasGrown(name, r.URL.Path):
			serve(w, r)
		case r.URL.Path == "/":
			sheet{title: "Welcome", text: proseOf("welcome to "+name, 2), links: []string{growers[name].entrance}}.write(w)
		default:
			http.NotFound(w, r)
		}
	})
}

// recombine shows a page for each path of five words, in any order, with each word at most three times. Each has a text of
// its own.
func (f *Farm) recombine(w http.ResponseWriter, r *http.Request) {
	at := strings.TrimSuffix(r.URL.Path, "/")
	segments := strings.Split(at, "/")
	s := sheet{title: "More of " + segments[len(segments)-1], text: proseOf(at, 4)}
	for _, word := range strings.Fields("x y more other all") {
		n := 0
		for _, have := range segments {
			if have == word {
				n++
			}
		}
		if n < 3 {
			s.links = append(s.links, at+"/"+word+"/")
		}
	}
	s.write(w)
}

// search shows the results of a search, which propose more searches.
func (f *Farm) search(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query().Get("q")
	words := strings.Fields(query)
	s := sheet{title: "Results for " + query, text: proseOf("results "+r.URL.RawQuery, 5)}
	for i := range 6 {
		word := wordOf(fmt.Sprint(query, i))
		s.links = append(s.links, "/search?q="+words[len(words)-1]+"+"+word, "/search?q="+word)
	}
	s.links = append(s.links, "/search?q="+strings.Join(words, "+")+"&more="+wordOf(r.URL.RawQuery))
	s.write(w)
}

// related shows an item among more items that are said to be like it. The text is made of sentences of the good web.
func (f *Farm) related(w http.ResponseWriter, r *http.Request) {
	rng := rand.New(rand.NewPCG(hash(r.URL.Path), 2))
	s := sheet{title: "Item " + wordOf(r.URL.Path)}
	all := f.goodSentences()
	for range 4 {
		var b strings.Builder
		for range 4 {
			b.WriteString(all[rng.IntN(len(all))] + ". ")
		}
		s.text = append(s.text, b.String())
	}
	for i := range 8 {
		s.links = append(s.links, "/item/"+wordOf(fmt.Sprint(r.URL.Path, i))+wordOf(fmt.Sprint(i, r.URL.Path)))
	}
	s.write(w)
}

// revisions shows what changed between two versions of a page of a wiki: mostly the old text, and something new.
func (f *Farm) revisions(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	title := q.Get("title")
	var old, now int
	_, _ = fmt.Sscan(q.Get("old"), &old) // 0 is the first version
	_, _ = fmt.Sscan(q.Get("new"), &now)
	diff := func(title string, old, now int) string {
		return fmt.Sprintf("/wiki/Special/Diff?title=%s&old=%d&new=%d", title, old, now)
	}
	s := sheet{title: title + ": difference between versions", text: proseOf("wiki "+title, 2)}
	s.text = append(s.text, proseOf(fmt.Sprint(title, old), 1)[0], proseOf(fmt.Sprint(title, now), 1)[0])
	for i := range 4 {
		s.links = append(s.links, diff(title, now, now+i+1), diff(title, old+i, now+1))
	}
	for i := range 2 {
		other := wordOf(fmt.Sprint(title, now, i))
		s.links = append(s.links, diff(strings.ToUpper(other[:1])+other[1:], 1, 2), "/wiki/Special/Log?title="+title+"&by="+other)
	}
	s.write(w)
}

// regions shows a small shop once for each language, country and currency.
func (f *Farm) regions(w http.ResponseWriter, r *http.Request) {
	part := append(strings.Split(strings.TrimPrefix(r.URL.Path, "/shop/"), "/"), "en", "gb", "gbp", "")
	language, country, currency, goods := part[0], part[1], part[2], part[3]
	s := sheet{title: "Our shop: " + goods, text: proseOf(language+goods, 3)}
	s.text = append(s.text, "We deliver to "+country+" and charge in "+currency+". "+proseOf(country+currency+goods, 1)[0])
	at := func(language, country, currency, goods string) string {
		return "/shop/" + language + "/" + country + "/" + currency + "/" + goods
	}
	for i := range 4 {
		pick := func(of string) string {
			all := strings.Fields(of)
			return all[hash(fmt.Sprint(r.URL.Path, of, i))%uint64(len(all))]
		}
		s.links = append(s.links,
			at(pick("en de fr es it nl pl sv da fi cs pt hu ro el"), country, currency, goods),
			at(language, pick("gb at de fr es it nl pl se dk fi cz pt hu ro gr us ca au nz ie ch"), currency, goods),
			at(language, country, pick("gbp eur usd chf sek dkk pln czk huf ron cad aud nzd"), goods),
			at(language, country, currency, pick("lamps chairs tables clocks rugs shelves beds mirrors")))
	}
	s.write(w)
}

// tags lists the posts of a month with all of the tags in the path, and offers to add a tag or to change the month.
func (f *Farm) tags(w http.ResponseWriter, r *http.Request) {
	part := append(strings.Split(strings.TrimPrefix(r.URL.Path, "/posts/"), "/"), "1", "about", "")
	var year, month int
	_, _ = fmt.Sscan(part[0], &year) // 0 is a year, too
	_, _ = fmt.Sscan(part[1], &month)
	at := func(year, month int, tags []string) string {
		return fmt.Sprintf("/posts/%d/%02d/about/%s", year, month, strings.Join(tags, "+"))
	}
	tags := strings.FieldsFunc(part[3], func(r rune) bool { return r == '+' })
	s := sheet{title: "Posts about " + strings.Join(tags, " and ")}
	for i := range 5 {
		post := hash(fmt.Sprint(r.URL.Path, i)) % 400
		s.text = append(s.text, fmt.Sprintf("%s: %s", wordOf(fmt.Sprint("post", post)), proseOf(fmt.Sprint("post ", post), 1)[0]))
	}
	for i := range 7 {
		if tag := wordOf(fmt.Sprint(r.URL.Path, i)); !slices.Contains(tags, tag) && len(tags) < 12 {
			s.links = append(s.links, at(year, month, append(slices.Clone(tags), tag)))
		}
	}
	s.links = append(s.links, at(year, month%12+1, tags), at(year-1, month, tags))
	s.write(w)
}
