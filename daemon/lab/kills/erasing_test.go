package kills

import (
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// site is a host of the sessions that browse makes. The crawls of toCrawl do not know it.
const site = "h1.test"

// about lists what the store has of a site.
func aboutSite(t *testing.T, data, host string) (plan erasing.Plan) {
	t.Helper()
	withStore(t, data, func(st *store.Store) {
		var err error
		if plan, err = erasing.PlanFor(t.Context(), st.DB, wings.Erasing, host); err != nil {
			t.Fatal(err)
		}
	})
	return plan
}

// hasErasing reports whether a database has noted that a site is to be erased.
func hasErasing(t *testing.T, data string) bool {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return count(t, db, "SELECT count(*) FROM erasings") > 0
}

// erased reports whether all of the erasing is done.
func erased(t *testing.T, data string) bool {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return count(t, db, "SELECT count(*) FROM erasings WHERE step = 'done'") > 0 &&
		count(t, db, "SELECT count(*) FROM erasings WHERE step <> 'done'") == 0
}

// TestErasing ends the program while it erases a site. If the erasing had begun, the next start finishes it; if not, everything
// of the site is there. What is not of the site stays.
func TestErasing(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	template := fullFolder(t)
	for _, host := range []string{site, hostName(1)} { // one that was visited, one that was crawled
		if aboutSite(t, template, host).Empty() {
			t.Fatalf("there is nothing of %s to erase", host)
		}
	}
	random := rand.New(rand.NewPCG(8, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), append(placesOf(erasingSite), atRandom), func(t *testing.T, place string) {
		mu.Lock()
		host := []string{site, hostName(1)}[random.IntN(2)]
		pass, after := 1, time.Duration(random.IntN(400))*time.Millisecond
		if strings.HasPrefix(place, "store.write.") {
			pass += random.IntN(4)
		}
		mu.Unlock()
		if isRewrite(place) {
			host = hostName(1)
		}
		data := copyFolder(t, template)
		p := at(place, pass)
		p.after = filepath.Join(t.TempDir(), "logged in")
		l := serve(t, p, data)
		if l.ready() {
			d := login(t, l)
			mustWrite(t, p.after)
			if place == atRandom {
				time.AfterFunc(after, l.kill)
			}
			_ = d.post(t, "/settings/erase", url.Values{"host": {host}}) // the rest goes on when it was answered
		}
		reached := true
		l.diesOr(func() bool {
			reached = place == "erase-site.erased" || !erased(t, data) // the program comes there when all is erased
			return !reached
		})
		if !reached && place != atRandom && !strings.HasPrefix(place, "store.write.") { // of which there may be fewer
			t.Fatalf("the erasing did not come to %s", place)
		}
		sound(t, database(data))
		begun := hasErasing(t, data)
		if !begun && !reflect.DeepEqual(aboutSite(t, data, host), aboutSite(t, template, host)) {
			t.Errorf("the erasing has not begun, but something of %s is gone", host)
		}
		l = mustServe(t, data)
		if !begun {
			if err := login(t, l).post(t, "/settings/erase", url.Values{"host": {host}}); err != nil {
				t.Fatal(err)
			}
		}
		wait(t, "the erasing", func() bool { return erased(t, data) })
		l.stop()
		sound(t, database(data))
		if rest := aboutSite(t, data, host); !rest.Empty() {
			t.Errorf("of %s is left: %+v", host, rest)
		}
		onlyOwnFiles(t, data)
		other := hostName(2)
		if aboutSite(t, data, other).Fetches != aboutSite(t, template, other).Fetches {
			t.Errorf("pages of %s are gone, too", other)
		}
	})
}

// finished looks at how a request ended during which the program was to be ended at a place. Of the places that any write comes
// to, the erasing may have come to fewer than wanted.
func finished(t *testing.T, l *life, place string, err error) {
	t.Helper()
	switch {
	case err != nil || place == atRandom:
	case strings.HasPrefix(place, "store.write."):
		l.kill()
	default:
		t.Fatalf("the erasing did not come to %s", place)
	}
}

// isRewrite reports whether only a site that was crawled brings the program to a place.
func isRewrite(place string) bool {
	return place == "archive.rewrite.before-rename" || place == "archive.rewrite.renamed" || place == "archive.rewrite.moved"
}

// TestWiping ends the program while it erases everything. The next start erases the rest; when it was too early, the person starts it again.
func TestWiping(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	template := fullFolder(t)
	random := rand.New(rand.NewPCG(9, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), append(placesOf(wiping), atRandom), func(t *testing.T, place string) {
		mu.Lock()
		after := time.Duration(random.IntN(400)) * time.Millisecond
		mu.Unlock()
		data := copyFolder(t, template)
		p := at(place, 1)
		p.after = filepath.Join(t.TempDir(), "logged in")
		l := serve(t, p, data)
		form := url.Values{"confirm": {"erase everything"}}
		if l.ready() {
			d := login(t, l)
			mustWrite(t, p.after)
			if place == atRandom {
				time.AfterFunc(after, l.kill)
			}
			finished(t, l, place, d.post(t, "/settings/erase-all", form))
		}
		l.dies()
		sound(t, database(data))
		_, err := os.Stat(database(data) + ".erasing")
		l = mustServe(t, data)
		if err != nil { // it was too early, or everything was erased
			if err := login(t, l).post(t, "/settings/erase-all", form); err != nil {
				t.Fatal(err)
			}
		}
		l.stop()
		sound(t, database(data))
		onlyOwnFiles(t, data)
		db := look(t, database(data))
		defer db.Close()
		for _, table := range []string{"browsers", "events", "visits", "pages", "contents", "models", "crawls", "fetches", "finds", "link", "search_entries"} {
			if n := count(t, db, "SELECT count(*) FROM "+table); n > 0 {
				t.Errorf("%d rows of %s are left", n, table)
			}
		}
	})
}

// crawledPlaces are those that the erasing of a site comes to while a crawl knows the site, or just after.
var crawledPlaces = []string{"crawl.before-end", "store.erase-host.links-deleted", "erasing.rows-deleted", atRandom}

// TestErasingWhatIsCrawled ends the program while it erases a site that is being crawled. After the next start, nothing is requested
// once the crawl has ended, and nothing of the site is stored.
func TestErasingWhatIsCrawled(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	effort.AtNight(t)
	random := rand.New(rand.NewPCG(10, uint64(kills())))
	var mu sync.Mutex
	rounds(t, kills(), crawledPlaces, func(t *testing.T, place string) {
		mu.Lock()
		after := time.Duration(random.IntN(400)) * time.Millisecond
		mu.Unlock()
		w := newWeb(t, 6, 190)
		data, host := toCrawl(t, w), hostName(1)
		erase := url.Values{"host": {host}}
		p := at(place, 1)
		p.after = filepath.Join(t.TempDir(), "logged in")
		l := serve(t, p, data, w.flags()...)
		if !l.ready() {
			t.Fatalf("the program did not start:\n%s", l.out)
		}
		wait(t, "pages of the site", func() bool { return crawledOf(t, data, host) > 2 })
		d := login(t, l)
		mustWrite(t, p.after)
		if place == atRandom {
			time.AfterFunc(after, l.kill)
		}
		_ = d.post(t, "/settings/erase", erase) // the rest goes on when it was answered
		l.diesOr(func() bool { return place == atRandom && erased(t, data) })
		sound(t, database(data))
		l = mustServe(t, data, w.flags()...)
		if !hasErasing(t, data) {
			if err := login(t, l).post(t, "/settings/erase", erase); err != nil {
				t.Fatal(err)
			}
		}
		wait(t, "the end of the crawl", func() bool { return crawlEnded(t, data) })
		before := w.all()
		wait(t, "the erasing", func() bool { return erased(t, data) })
		l.stop()
		if n := w.all(); n != before {
			t.Errorf("%d requests after the crawl had ended", n-before)
		}
		if rest := aboutSite(t, data, host); !rest.Empty() {
			t.Errorf("of %s is left: %+v", host, rest)
		}
		db := look(t, database(data))
		defer db.Close()
		same(t, "why the crawl ended", lines(t, db, "SELECT stop_reason FROM crawls"), []string{"a site was erased"})
	})
}

// crawledOf is how many fetches from a host are stored.
func crawledOf(t *testing.T, data, host string) int {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return count(t, db, "SELECT count(*) FROM fetches WHERE host = ?", host)
}

// all is how many requests there were.
func (w *web) all() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.requests)
}
