package simulate

import (
	"context"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/crawler/weburl"
	"nightjar/daemon/app"
	"nightjar/daemon/keep/doctor"
)

// pages are those that the person opens each morning.
var pages = []string{"/", "/sessions", "/tonight", "/crawls", "/settings", "/doctor", "/search?q=tide", "/explore", "/communities"}

// ask opens a page of the dashboard, whatever happens to the daemon.
func (w *world) ask(path string) (doc *goquery.Document) {
	w.do(path, func() (err error) {
		d, err := w.life.login()
		if err == nil {
			doc, err = d.page(path)
		}
		return err
	})
	return doc
}

// tell sends a form, whatever happens to the daemon. When the daemon dies over it, it is sent again.
func (w *world) tell(path string, form url.Values) {
	w.do(path, func() error {
		d, err := w.life.login()
		if err == nil {
			err = d.post(path, form)
		}
		return err
	})
}

// morning is the person in the morning: looks at pages, marks finds, erases and backs up.
func (w *world) morning(p plan) {
	for _, i := range w.random.Perm(len(pages))[:3] {
		w.ask(pages[i])
	}
	w.search()
	if p.examine {
		w.examine()
	}
	list := w.ask("/?state=all")
	w.judgeFinds(list)
	if !p.erases() {
		w.dies(p)
	}
	list.Find("article.find").EachWithBreak(func(i int, f *goquery.Selection) bool {
		if i < p.marks {
			mark := "not-useful"
			if at, ok := w.web.find(weburl.Host(f.Find("h3 a").AttrOr("href", "")), path(f.Find("h3 a").AttrOr("href", "")), w.night); ok && at.useful() {
				mark = "useful"
			}
			w.tell("/finds/mark", url.Values{"id": {f.AttrOr("data-find", "")}, "mark": {mark}})
		}
		return i < p.marks
	})
	if p.backup {
		w.backup()
	}
	if p.erases() && !p.early {
		w.erases(p)
	}
}

// dies lets the daemon die soon over what the person does.
func (w *world) dies(p plan) {
	if d := p.dies; d != nil && !d.stop && (d.places > 0 || p.all) {
		d.places = 1 + d.places%24
		w.arm(*d)
	}
}

// erases lets the person erase, and the daemon die over it.
func (w *world) erases(p plan) {
	w.dies(p)
	if p.all {
		w.eraseAll()
	} else {
		w.erase(p.erase)
	}
}

// search looks for a word that only one of the visited pages has.
func (w *world) search() {
	for _, url := range slices.Sorted(maps.Keys(w.visited)) {
		if p, ok := w.web.find(weburl.Host(url), path(url), w.night); ok {
			query := "/search?q=" + p.own(w.web, 3)
			if w.ask(query).Find(".result").Length() == 0 {
				w.fail("search", "%s is not found by its word %s", url, p.own(w.web, 3))
			}
			return
		}
	}
}

// examine asks the doctor, who finds nothing broken.
func (w *world) examine() {
	for _, c := range w.life.app.Examine(context.Background(), -1).Checks {
		if c.State == doctor.Broken && !w.life.dead.Load() {
			w.fail("doctor", "%s: %s", c.Name, c.Says)
		}
	}
}

func path(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return at.Path
}

// linger is how long the daemon runs after something was erased: long enough for a crawl to bring it back.
const linger = 20 * time.Second

// erase erases a host, with the automatic backups that have it, and waits until that is done.
func (w *world) erase(h int) {
	host := w.web.hostName(h)
	w.browser.forget(host)
	w.tell("/settings/erase", url.Values{"host": {host}, "backups": {"on"}})
	maps.DeleteFunc(w.visited, func(u string, _ bool) bool { return weburl.Host(u) == host })
	until := time.Now().Add(3 * time.Minute)
	for w.count("SELECT count(*) FROM erasings WHERE step <> 'done'") > 0 {
		if time.Now().After(until) {
			w.fail("erasing", "it does not end")
		}
		w.rest(time.Now().Add(time.Second))
	}
	w.rest(time.Now().Add(linger))
	w.starts = slices.DeleteFunc(w.starts, func(u string) bool { return weburl.Host(u) == host })
	w.end()
	w.judgeErased(w.web.name(h))
	w.begin()
}

// forget is called before a host is erased, "" for all: its events need not be stored any more.
func (b *browser) forget(host string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	gone := map[string]bool{}
	for _, e := range b.acked {
		if weburl.Host(e.URL) == host {
			gone[e.Page] = true
		}
	}
	for id, e := range b.acked {
		if host == "" || e.Page != "" && gone[e.Page] {
			b.freed[id] = true
			delete(b.acked, id)
		}
	}
}

// eraseAll erases everything, and looks whether anything is left or comes back. Then the person begins anew. When the daemon dies
// over it and has noted what to do, the person leaves the rest to it.
func (w *world) eraseAll() {
	w.browser.forget("")
	w.do("erase everything", func() error {
		if _, err := os.Stat(filepath.Join(w.data, "nightjar.db.erasing")); err == nil || w.count("SELECT count(*) FROM events") == 0 {
			return nil
		}
		d, err := w.life.login()
		if err == nil {
			err = d.post("/settings/erase-all", url.Values{"confirm": {"erase everything"}})
		}
		return err
	})
	w.rest(time.Now().Add(linger))
	var all []string
	for h := range w.web.hosts {
		all = append(all, w.web.name(h))
	}
	w.end()
	w.judgeErased(append(all, topic)...)
	w.begin()
	w.starts, w.found, w.poor, w.visited = nil, 0, 0, map[string]bool{}
	w.anew = true
}

// backup has the person download a backup, and restore it at once: nothing is lost by that.
func (w *world) backup() {
	var text []byte
	w.do("backup", func() error {
		d, err := w.life.login()
		if err == nil {
			text, err = d.get("/settings/backup?archive=1")
		}
		return err
	})
	name := filepath.Join(w.dir, "one.nightjar.zip")
	w.check(os.WriteFile(name, text, 0o600))
	w.end()
	staged, err := app.Restore(context.Background(), name, w.data)
	if err != nil {
		w.fail("restore", "%v", err)
	}
	w.check(os.RemoveAll(staged.OldData))
	w.begin()
}
