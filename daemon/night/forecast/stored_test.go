package forecast

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// mustNight puts a night of a topic in the store that has ended: each find has a number of the page, a probability and a mark.
func mustNight(t *testing.T, s *store.Store, topicID int64, fetched int, stop, options string, finds ...nightFind) int64 {
	t.Helper()
	var id int64
	storetest.OK(t, s.Writer.QueryRow(`INSERT INTO crawls (topic_id, model_id, strategy, options, status, stop_reason, fetched, created_at)
		VALUES (?, 1, 'link-value', ?, 'ended', ?, ?, 7) RETURNING id`, topicID, options, stop, fetched).Scan(&id))
	storetest.Fetched(t, s, id, fetched, fmt.Sprintf("http://a.test/last-%d", id), "http://a.test/last", "")
	for _, f := range finds {
		url := fmt.Sprintf("http://a.test/%d/%d", id, f.n)
		at := storetest.Fetched(t, s, id, f.n, url, url, "")
		storetest.Change(t, s, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, mark)
			VALUES (?, ?, ?, ?, '', '', 1, 1, ?, ?)`, topicID, id, at, url, f.p, f.mark)
	}
	return id
}

// mustModelOf stores a model as a training does, which learned from so many pages.
func mustModelOf(t *testing.T, s *store.Store, topicID int64, pages, useful int) {
	t.Helper()
	set := model.TrainingSet{Topic: "Hockey", Edges: [][2]int{{0, 1}, {1, 2}, {2, 3}}}
	for i, text := range []string{"weather and gardening", "cars and shopping", "bread and cakes", "hockey league results"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprint("http://a.test/", i), Text: text, Target: i == 3})
	}
	b := storetest.Must(model.Train(t.Context(), set, model.DefaultSettings(), nil))(t)
	facts := models.Facts{Facts: b.Facts}
	facts.Pages, facts.Targets = pages, useful
	storetest.Must(models.Save(t.Context(), s.DB, s.Erasures(), topicID, b, facts))(t)
}

type nightFind struct {
	n    int
	p    float64
	mark string
}

// TestForesee: what is known before a night is that of the newest model with a bundle, and of the nights that ended.
func TestForesee(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	mustModelOf(t, s, c.TopicID, 61, 9)
	see := func(pages int, starts ...string) Inputs {
		t.Helper()
		in := storetest.Must(Foresee(t.Context(), s.DB, c.TopicID, starts, "link-value", pages))(t)
		return in
	}
	in := see(500, "http://a.test/", "http://b.test/")
	if in.Pages != 61 || in.Useful != 9 || in.Budget != 500 || in.NewStarts != 2 || in.Strategy != "link-value" || len(in.Nights) != 0 {
		t.Errorf("before the first night: %+v", in)
	}

	options := `{"starts":["http://a.test/"],"links":["http://c.test/"]}`
	mustNight(t, s, c.TopicID, 100, "budget of 100 pages used", options,
		nightFind{10, 0.9, store.MarkUseful}, nightFind{20, 0.8, store.MarkNotUseful}, nightFind{30, 0.6, store.MarkNone}, nightFind{90, 0.5, store.MarkNone}, nightFind{95, 0.7, store.MarkUseful})
	mustNight(t, s, c.TopicID, 50, "budget of 50 pages used", `{"for_map":true,"starts":["http://map.test/"]}`, nightFind{1, 1, store.MarkNone})
	in = see(500, "http://a.test/", "http://b.test/")
	marks := []calibration.Mark{{P: 0.9, Useful: true}, {P: 0.8}, {P: 0.7, Useful: true}}
	learned := calibration.Learn(marks)
	useful := learned.Count(marks, []float64{0.6, 0.5})
	if len(in.Nights) != 1 || in.NewStarts != 1 || in.Budget != 500 {
		t.Fatalf("after a night: %+v", in)
	}
	if n := in.Nights[0]; n.Fetched != 100 || n.Ended || math.Abs(n.Useful-useful.Expected) > 1e-9 {
		t.Errorf("%+v, want 100 pages, %v useful", n, useful.Expected)
	}
	storetest.Change(t, s, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, asked) SELECT topic_id, crawl_id, fetch_id, url || '?', '', '', 1, 1, 0.9, 1 FROM finds`)
	if all := storetest.Must(calibration.TopicYield(t.Context(), s.DB, c.TopicID))(t); all.Number != learned.Count(marks, []float64{0.6, 0.5, 1}) {
		t.Errorf("useful pages of the topic: %+v", all)
	}

	mustNight(t, s, c.TopicID, 80, "window closed at 02:00", options)
	mustNight(t, s, c.TopicID, 70, "no links left within the limits of pages per host and site", options)
	if in = see(500, "http://a.test/"); len(in.Nights) != 3 || !in.Nights[2].Ended || in.Nights[1].Ended || in.Budget != 500 {
		t.Errorf("after three nights: %+v", in)
	}
	mustNight(t, s, c.TopicID, 300, "the next 100 pages promise about 0.4 useful ones, fewer than 1; about 3 are left", options)
	if in = see(500, "http://a.test/"); !in.Nights[3].Ended || in.Budget != 500 {
		t.Errorf("after a night that stopped early: %+v", in)
	}
	mustNight(t, s, c.TopicID, 60, "budget of 30 minutes used", options)
	for _, pages := range []int{500, 0} {
		if in = see(pages, "http://a.test/"); in.Budget != 60 {
			t.Errorf("there was time for 60 pages, and the budget of %d is taken for %d", pages, in.Budget)
		}
	}
	if in = see(40, "http://a.test/"); in.Budget != 40 {
		t.Errorf("a budget of 40 pages is taken for %d", in.Budget)
	}
	for range pastNights {
		mustNight(t, s, c.TopicID, 30, "budget of 30 pages used", options)
	}
	if in = see(40, "http://a.test/"); len(in.Nights) != pastNights || in.Nights[0].Fetched != 30 {
		t.Errorf("%d nights, the oldest of %d pages", len(in.Nights), in.Nights[0].Fetched)
	}
	if _, err := Foresee(t.Context(), s.DB, 99, nil, "", 1); err != db.ErrNotFound {
		t.Errorf("a topic without a model: %v", err)
	}
}

// TestNothingLeft: a night after which links wait for the next one has something left.
func TestNothingLeft(t *testing.T) {
	const limits = "no links left within the limits of pages per host and site"
	for stop, want := range map[string]bool{
		"no links left": true, limits: true, "budget of 30 pages used": false,
		limits + "; 1 link of a.test waits for the next crawl":                                        false,
		limits + "; 2 links of a.test wait for the next crawl, except 1 page that robots.txt forbids": false,
	} {
		if got := (pastNight{stop: stop}).nothingLeft(); got != want {
			t.Errorf("%q: %v", stop, got)
		}
	}
}

// TestForecasts: a forecast is stored with its crawl, listed beside what came, and gone with it.
func TestForecasts(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{})
	in := Inputs{Pages: 61, Useful: 9, Budget: 500, NewStarts: 1, Strategy: "link-value", Nights: []Night{{Fetched: 5, Useful: 1.5}}}
	told := &Made{Forecast: Forecast{Expected: 14.2, Low: 8, High: 24.4}, Pages: 500, Version: 3, Inputs: in}
	one := storetest.Must(crawls.Create(t.Context(), s.DB, crawls.Crawl{TopicID: c.TopicID, ModelID: 1, Strategy: "link-value", Night: "2026-11-21"},
		func(w *db.Work, id int64) { told.Put(w, id, s.Now()) }))(t)
	list := func(topic, crawl int64) []Foretold {
		t.Helper()
		all := storetest.Must(OfTopic(t.Context(), s.DB, topic, crawl, 10))(t)
		return all
	}
	all := list(0, 0)
	if len(all) != 1 || all[0].CrawlID != one || all[0].Forecast != told.Forecast || all[0].Pages != 500 || all[0].Version != 3 ||
		all[0].Night != "2026-11-21" || !all[0].Live || all[0].Came != 0 || all[0].Held() {
		t.Fatalf("%+v", all)
	}
	if got, _ := json.Marshal(all[0].Inputs); !strings.Contains(string(got), `"useful":1.5`) {
		t.Errorf("the inputs are %s", got)
	}
	for i := range 20 {
		url := fmt.Sprintf("http://a.test/%d", i)
		at := storetest.Fetched(t, s, one, i+1, url, url, "")
		mark := store.MarkNone
		if i < 4 {
			mark = store.MarkUseful
		}
		storetest.Change(t, s, `INSERT INTO finds (topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful, mark)
			VALUES (?, ?, ?, ?, '', '', 1, 1, 0.5, ?)`, c.TopicID, one, at, url, mark)
	}
	storetest.OK(t, crawls.End(t.Context(), s.DB, one, "done"))
	marks := slices.Repeat([]calibration.Mark{{P: 0.5, Useful: true}}, 4)
	want := calibration.Learn(marks).Count(marks, slices.Repeat([]float64{0.5}, 16)).Expected
	if all = list(c.TopicID, one); len(all) != 1 || math.Abs(all[0].Came-want) > 1e-9 || all[0].Finds != 20 || all[0].Marked != 4 || all[0].Live || !all[0].Held() {
		t.Errorf("%+v, want %v useful pages", all, want)
	}
	for before, want := range map[int64]int{0: 1, one: 0, one + 1: 1} {
		if some, err := Before(t.Context(), s.DB, before, 10); err != nil || len(some) != want {
			t.Errorf("before crawl %d: %+v, %v", before, some, err)
		}
	}
	if len(list(99, 0)) != 0 || len(list(0, c.ID)) != 0 {
		t.Error("forecasts of another topic or crawl are listed")
	}
	storetest.Change(t, s, `DELETE FROM crawls WHERE id = ?`, one)
	if n := storetest.Must(db.Single[int](t.Context(), s.Readers, "SELECT count(*) FROM forecasts"))(t); n != 0 {
		t.Errorf("%d forecasts are left", n)
	}
}

// TestForecastPlans: what a forecast reads grows with the topic's last nights, not with the database.
func TestForecastPlans(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	storetest.Must(s.Writer.Exec(`INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 1);
		INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (1, 1, x'00', '{}', 1)`))(t)
	clear(all)
	storetest.Must(Foresee(t.Context(), s.DB, 1, nil, "", 1))(t)
	plain := storetest.Must(sql.Open("sqlite", db.DSN(s.Path(), "rw", "")))(t)
	defer plain.Close()
	if len(all) != 3 {
		t.Errorf("%d statements", len(all))
	}
	plans.NoFullScans(t, plain, all)
}
