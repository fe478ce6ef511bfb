package traps

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// calendar shows a month or a day, with links to the neighbouring months and to the days.
func (f *Farm) calendar(w http.ResponseWriter, r *http.Request) {
	at := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	var year, month, day int
	if n, _ := fmt.Sscanf(r.URL.Path, "/events/%d/%d/%d", &year, &month, &day); n >= 2 {
		at = time.Date(year, time.Month(month), max(day, 1), 0, 0, 0, 0, time.UTC)
	}
	s := sheet{
		title: "Events in " + at.Format("January 2006"),
		text: []string{"There are no events on " + at.Format("Monday, 2 January 2006") + ".",
			"Sun Mon Tue Wed Thu Fri Sat. Choose a day to see what is on, or go to the month before or after."},
	}
	for _, m := range []int{1, -1} {
		s.links = append(s.links, at.AddDate(0, m, 1-at.Day()).Format("/events/2006/01"))
	}
	for d := range 28 {
		s.links = append(s.links, at.AddDate(0, 0, d+1-at.Day()).Format("/events/2006/01/02"))
	}
	s.links = append(s.links, at.Format("/events/2006/01?view=week"), at.Format("/events/2006/01?view=list"))
	s.write(w)
}

// session shows one of six pages; each view puts a new session ID into its links, in query and path.
func (f *Farm) session(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.views++
	view := f.views
	f.mu.Unlock()
	_, rest, _ := strings.Cut(r.URL.Path, "/article-")
	page, _ := strconv.Atoi(rest)
	s := sheet{title: fmt.Sprintf("Article %d", page), text: proseOf(fmt.Sprint("session", page), 4)}
	for n := range 6 {
		id := hash(fmt.Sprint(view, n))
		s.links = append(s.links, fmt.Sprintf("/article-%d?visitor=%x", n, id), fmt.Sprintf("/v-%x/article-%d", id, n))
	}
	s.write(w)
}

// depth shows a folder of folders.
func (f *Farm) depth(w http.ResponseWriter, r *http.Request) {
	at := strings.TrimSuffix(r.URL.Path, "/")
	s := sheet{title: "Folder " + at, text: []string{"This folder holds folders. Open one to see what is in it."}}
	for i := range 12 {
		s.links = append(s.links, at+"/"+wordOf(at+fmt.Sprint(i))+"/")
	}
	s.write(w)
}

// facets shows the goods that match the filters in the query.
func (f *Farm) facets(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	s := sheet{title: "Shoes"}
	for i := range 12 {
		n := hash(fmt.Sprint(q.Encode(), i)) % 40
		s.text = append(s.text, fmt.Sprintf("Shoe %d, %s, %d.99", n, wordOf(fmt.Sprint("shoe", n)), 20+n))
	}
	for _, name := range []string{"colour", "size", "brand", "sort", "material", "heel", "season", "price"} {
		for _, value := range []string{"1", "2", "3"} {
			more := r.URL.Query()
			more.Set(name, value)
			s.links = append(s.links, "/shoes?"+more.Encode())
		}
	}
	s.write(w)
}

// subdomains shows a page of links to other hosts.
func (f *Farm) subdomains(w http.ResponseWriter, r *http.Request) {
	host := hostOf(r)
	name, _, _ := strings.Cut(host, ".")
	s := sheet{title: "Welcome to " + name, text: []string{"The best of " + name + " on the net. See our partners for more of " + name + "."}}
	for i := range 15 {
		s.links = append(s.links, fmt.Sprintf("http://%s-%s.subdomains.test/", wordOf(fmt.Sprint(host, i)), wordOf(fmt.Sprint(i, host))))
	}
	s.write(w)
}

// soft404 answers every request with a page that says "not found".
func (f *Farm) soft404(w http.ResponseWriter, r *http.Request) {
	s := sheet{title: "Our catalogue", text: []string{
		"We could not find what you were looking for at " + r.URL.Path + ". It may have been moved or sold.",
		"Perhaps one of the pages below is what you want, or search the catalogue by name, maker or year of making."}}
	for i := range 15 {
		s.links = append(s.links, "/"+wordOf(fmt.Sprint(r.URL.Path, i))+"/"+wordOf(fmt.Sprint(i, r.URL.Path)))
	}
	s.write(w)
}

// pages shows a page of an endless list, or an entry of it.
func (f *Farm) pages(w http.ResponseWriter, r *http.Request) {
	if id, ok := strings.CutPrefix(r.URL.Path, "/entry/"); ok {
		sheet{title: "Entry " + id, text: []string{"Entry " + id + " has no description yet. Be the first to write one."},
			links: []string{"/list?page=1"}}.write(w)
		return
	}
	n, _ := strconv.Atoi(r.URL.Query().Get("page"))
	s := sheet{title: fmt.Sprintf("All entries, page %d", n)}
	for i := range 15 {
		s.text = append(s.text, fmt.Sprintf("Entry %d, added on day %d, by %s", n*15+i, n, wordOf(fmt.Sprint(n, i))))
		s.links = append(s.links, fmt.Sprintf("/entry/%d", n*15+i))
	}
	for next := 1; next < 10; next++ {
		s.links = append(s.links, fmt.Sprintf("/list?page=%d", n+next))
	}
	s.write(w)
}

// babble shows random sentences, with links to random paths.
func (f *Farm) babble(w http.ResponseWriter, r *http.Request) {
	s := sheet{title: wordOf(r.URL.Path) + " " + wordOf(r.URL.Path+"!"), text: proseOf("babble"+r.URL.Path, 6)}
	for i := range 10 {
		s.links = append(s.links, "/"+wordOf(fmt.Sprint(r.URL.Path, i))+"/"+wordOf(fmt.Sprint(i, r.URL.Path))+"/"+wordOf(fmt.Sprint(i, i, r.URL.Path)))
	}
	s.write(w)
}
