package days

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/keep/doctor"
)

// day is what a person has for a day with the program.
type day struct {
	session string // file
	word    string // to search for; pages of the session have it
	useful  func(url string) bool
	pages   int // of a night
}

// nights are two windows that are open now and began on different days, in a zone in which it is about noon.
var nights = [2][2]string{{"14:00", "13:45"}, {"11:00", "10:45"}}

// noon is a zone in which it is between 12 and 1 o'clock.
func noon(now time.Time) string { return fmt.Sprintf("Etc/GMT%+d", now.UTC().Hour()-12) }

// live lives the day on a web.
func (d *day) live(t *testing.T, w *web) {
	t.Helper()
	home := t.TempDir()
	data := filepath.Join(home, "data")
	l := serve(t, home, data, w)
	defer func() { l.keepLog() }()
	board := open(l)
	run(t, home, "import", "--data", data, d.session)
	model := d.learns(l, board, "1")
	d.searches(l, board)

	set(board)
	first := d.night(l, board, model, 1)
	board.walk("after a night")
	d.searches(l, board)
	d.marks(l, board, first)
	d.safe(t, l, board, home, data)

	l.stop()
	l = serve(t, home, data, w)
	board = open(l)
	d.searches(l, board)
	d.night(l, board, model, 2)
	d.learns(l, board, "2")
	d.safe(t, l, board, home, data)
	board.walk("at the end")
	l.stop()
	examine(t, home, data, l.address, "daemon") // that none runs is broken
	run(t, home, "backup", filepath.Join(home, "evening.zip"), "--data", data)
}

var pathOfModel = regexp.MustCompile(`^/model/\d+$`)

// learns waits for a version of the only topic's model with its report, checks what is said of it, and returns its path.
func (d *day) learns(l *life, board *dashboard, version string) (model string) {
	l.t.Helper()
	l.wait("version "+version+" of the model is there", func() bool {
		board.page("/sessions").Find("a").EachWithBreak(func(_ int, a *goquery.Selection) bool {
			if href := a.AttrOr("href", ""); pathOfModel.MatchString(href) {
				model = href
			}
			return model == ""
		})
		return model != "" && strings.HasPrefix(words(board.page(model).Find("#model-version")), "Version "+version+",")
	})
	at := model + "/" + version
	var sure *goquery.Document
	l.wait("the model is measured", func() bool {
		sure = board.page(at + "/sure")
		return sure.Find(".measuring").Length() == 0 && sure.Find("#model-sure .empty").Length() == 0
	})
	d.said(l, sure, "the verdict of the report", ".verdict")
	d.said(l, sure, "how soon nights find useful pages", ".night p")
	overview := board.page(model)
	d.said(l, overview, "what the model says", ".model-says")
	d.said(l, overview, "the words that speak for a page", "[aria-labelledby=top-for] li")
	if got := words(overview.Find("#relevant")); !strings.ContainsAny(got, "0123456789") {
		l.t.Errorf("the threshold is missing: %q", got)
	}
	groups := board.page(at + "/words").Find(".cluster")
	groups.Each(func(_ int, g *goquery.Selection) {
		if g.Find(".wordlist span").Length() == 0 {
			l.t.Errorf("a cluster has no words: %q", words(g))
		}
	})
	if groups.Length() < 2 {
		l.t.Errorf("%d clusters", groups.Length())
	}
	l.t.Logf("version %s: %s", version, words(sure.Find(".verdict")))
	return model
}

// said checks that a page says something in the elements of a selector.
func (d *day) said(l *life, page *goquery.Document, what, selector string) {
	l.t.Helper()
	if words(page.Find(selector)) == "" {
		l.t.Errorf("%s is missing (%s)", what, selector)
	}
}

// searches searches for the day's word.
func (d *day) searches(l *life, board *dashboard) {
	l.t.Helper()
	path := "/search?q=" + url.QueryEscape(d.word)
	l.wait("pages with "+d.word+" are found", func() bool {
		p := board.page(path)
		return p.Find(".result").Length() > 0 && p.Find("#search-waiting").Length() == 0
	})
}

// set lets nights run here and now: neither power nor network is waited for, and the zone is one in which it is noon.
func set(board *dashboard) {
	board.t.Helper()
	board.submit("/settings", "form.settings", url.Values{
		"delay": {"0"}, "on_mains": nil, "unmetered": nil, "zone": {noon(time.Now())},
	})
}

// night lets the n-th night run, and returns the finds that it brought.
func (d *day) night(l *life, board *dashboard, model string, n int) (brought []string) {
	l.t.Helper()
	d.foreseen(l, board.page(model).Find(".foreseen"))
	card := board.page("/tonight")
	d.foreseen(l, card.Find(".foreseen"))
	if card.Find(".ticks input[checked]").Length() == 0 {
		l.t.Fatal("no start page is proposed")
	}
	window := nights[n-1]
	board.submit("/tonight", "#tonight", url.Values{
		"night_start": {window[0]}, "night_end": {window[1]}, "pages": {strconv.Itoa(d.pages)}, "night": {map[int]string{1: "on", 2: "keep"}[n]},
	})
	crawl := "/crawls/" + strconv.Itoa(n)
	l.wait("the night is there", func() bool {
		status, _ := board.get(crawl)
		return status == 200
	})
	var page *goquery.Document
	l.wait("the night ends", func() bool {
		page = board.page(crawl)
		return page.Find("dt:contains('Links waiting')").Length() == 0
	})
	state := words(page.Find("[role=status]"))
	total, _, _ := strings.Cut(words(page.Find(".facts dd").First()), " ") // "120 91 missing pages among them"
	fetched, err := strconv.Atoi(total)
	if err != nil || fetched < 2 || fetched > d.pages {
		l.t.Errorf("night %d fetched %d pages (%v): %s", n, fetched, err, state)
	}
	if !strings.Contains(words(page.Find(".facts")), "forecast about") {
		l.t.Errorf("night %d has no forecast: %s", n, words(page.Find(".facts")))
	}
	board.page("/?state=all").Find("section.run").Each(func(_ int, run *goquery.Selection) {
		if run.Find("h2 a[href='"+crawl+"']").Length() > 0 {
			run.Find("article.find").Each(func(_ int, f *goquery.Selection) { brought = append(brought, d.reads(l, board, f)) })
		}
	})
	if n == 1 && !strings.Contains(words(page.Find(".facts")), "Lists of sites") {
		l.t.Errorf("night %d read no list: %s", n, words(page.Find(".facts")))
	}
	right := len(slices.DeleteFunc(slices.Clone(brought), func(url string) bool { return !d.useful(url) }))
	l.t.Logf("night %d: %d pages, %s; the first page of finds has %d, %d of them useful", n, fetched, state, len(brought), right)
	return brought
}

// foreseen checks that a night is foretold.
func (d *day) foreseen(l *life, says *goquery.Selection) {
	l.t.Helper()
	if text := words(says); !strings.Contains(text, "most likely") {
		l.t.Errorf("nothing is foretold: %q", text)
	}
}

// reads reads a find of the list, its reason and its trail, and returns its address.
func (d *day) reads(l *life, board *dashboard, f *goquery.Selection) (address string) {
	l.t.Helper()
	address = f.Find("h3 a").AttrOr("href", "")
	id := f.AttrOr("data-find", "")
	if address == "" || words(f.Find(".said")) == "" {
		l.t.Errorf("find %s (%s) has no reason: %q", id, address, words(f))
	}
	if !strings.Contains(words(f.Find(".similarity")), "%") {
		l.t.Errorf("find %s does not say how likely it is useful: %q", id, words(f.Find(".meta")))
	}
	page := board.page("/finds/" + id)
	trail := page.Find(".way li")
	from := func(what string) bool { return strings.Contains(words(trail.First()), what) }
	if trail.Length() == 0 || !from("start") && !from("visited by you") && !from("a list of its site") && !from("a feed of its site") || trail.Last().Find("a").Last().AttrOr("href", "") != address {
		l.t.Errorf("find %s has no trail from a start page, or from one that was visited or listed, to %s: %q", id, address, words(trail))
	}
	if trail.Length() > 1 && page.Find(".find-about > .why .chosen").Length() == 0 {
		l.t.Errorf("find %s does not say why the last link was followed: %q", id, words(page.Find(".why")))
	}
	if page.Find(".read li .reading").Length() != trail.Length() {
		l.t.Errorf("find %s does not say what the model read on each page", id)
	}
	return address
}

// mostMarked is how many finds the person marks.
const mostMarked = 12

// marks marks the first finds of the list, and waits for what that changes.
func (d *day) marks(l *life, board *dashboard, brought []string) {
	l.t.Helper()
	if len(brought) == 0 {
		l.t.Fatal("the first night brings no find")
	}
	ids := map[string][]string{}
	board.page("/").Find("article.find").EachWithBreak(func(i int, f *goquery.Selection) bool {
		mark := "not-useful"
		if d.useful(f.Find("h3 a").AttrOr("href", "")) {
			mark = "useful"
		}
		ids[mark] = append(ids[mark], f.AttrOr("data-find", ""))
		return i+1 < mostMarked
	})
	for _, mark := range []string{"useful", "not-useful"} {
		if len(ids[mark]) > 0 {
			board.post("/finds/mark", url.Values{"id": ids[mark], "mark": {mark}})
		}
	}
	var echo *goquery.Selection
	l.wait("what the marks changed is said", func() bool {
		echo = board.page("/").Find("#echo")
		return echo.Find(".change").Length() > 0 && echo.Find(".learning").Length() == 0
	})
	says := words(echo.Find(".change > p"))
	if strings.Contains(says, "not known yet") || !strings.Contains(says, "first") {
		l.t.Errorf("what the marks changed is missing: %q", says)
	}
	l.t.Logf("%d useful, %d not: %s", len(ids["useful"]), len(ids["not-useful"]), says)
}

// safe backs up and asks the doctor, who must find nothing broken. The person searches before and after.
func (d *day) safe(t *testing.T, l *life, board *dashboard, home, data string) {
	t.Helper()
	d.searches(l, board)
	backups := func() int {
		return board.page("/settings").Find("#backups").Find("tr td:first-of-type, li").Length()
	}
	had := backups()
	board.submit("/settings", "form#backup-make", nil)
	l.wait("the backup is made", func() bool { return backups() > had })
	d.searches(l, board)
	l.wait("the doctor has looked", func() bool { return board.page("/doctor").Find("#checks[data-load]").Length() == 0 })
	board.page("/doctor").Find(".checks li.broken").Each(func(_ int, c *goquery.Selection) { t.Errorf("the doctor: %s", words(c)) })
	examine(t, home, data, l.address)
	d.searches(l, board)
	l.quiet()
}

// examine asks the doctor by the command line, where the daemon listens or did. Only checks of these ids may be broken.
func examine(t *testing.T, home, data, listen string, but ...string) {
	t.Helper()
	var report doctor.Report
	out, err := command(t, home, "", "doctor", "--full", "--json", "--listen", listen, "--data", data).Output() // fails when something is broken
	if jerr := json.Unmarshal(out, &report); jerr != nil {
		t.Fatalf("%v, %v: %s", err, jerr, out)
	}
	for _, c := range report.Checks {
		if c.State == doctor.Broken && !slices.Contains(but, c.ID) {
			t.Errorf("the doctor: %s: %s", c.Name, c.Says)
		}
	}
	if len(report.Checks) < 10 {
		t.Errorf("the doctor checks %d things only", len(report.Checks))
	}
}
