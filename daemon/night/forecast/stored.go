package forecast

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
)

// Made is the forecast that was made when a crawl was created.
type Made struct {
	Forecast
	MadeAt  time.Time
	Pages   int // of the crawl's budget; 0 for no limit
	Version int // the constant Version then
	Inputs  Inputs
}

// Foretold is a crawl's forecast beside what came.
type Foretold struct {
	Made
	CrawlID int64
	Night   string // see CrawlView
	Fetched int
	Came    float64 // useful pages, by the marks and the judge's probabilities; see package calibration
	Marked  int     // finds that the person judged
	Finds   int
	Live    bool // it has not ended: more may come
}

// Held reports whether what came lies in the interval, both as whole numbers of pages.
func (f Foretold) Held() bool { return f.Holds(f.Came) }

// pastNights is how many earlier nights of a topic a forecast looks at.
const pastNights = 12

// Foresee reads the inputs of Make: a topic before a crawl from some start pages. pages is the crawl's part of
// the budget, 0 for no limit. A last night that the clock ended says how many pages there is time for. It returns ErrNotFound for a
// topic without a model.
func Foresee(ctx context.Context, d *db.DB, topicID int64, starts []string, strategy string, pages int) (Inputs, error) {
	in := Inputs{Budget: pages, NewStarts: len(starts), Strategy: strategy}
	var facts models.Facts
	err := d.Readers.QueryRowContext(ctx, `SELECT facts FROM models WHERE topic_id = ? AND length(bundle) > 0 ORDER BY version DESC LIMIT 1`, topicID).
		Scan(db.JSONOf(&facts))
	if _, err = db.Found(facts, err); err != nil {
		return in, err
	}
	in.Pages, in.Useful = facts.Pages, facts.Targets
	past, err := earlierNights(ctx, d, topicID)
	if err != nil || len(past) == 0 {
		return in, err
	}
	for _, n := range past {
		in.Nights = append(in.Nights, n.Night)
	}
	last := past[len(past)-1]
	if last.timeUp() && (in.Budget == 0 || last.Fetched < in.Budget) {
		in.Budget = last.Fetched
	}
	in.NewStarts = newStarts(starts, last.options.First())
	return in, nil
}

// pastNight is an earlier night, with what Foresee alone needs.
type pastNight struct {
	Night
	crawl   int64
	stop    string
	options crawls.Options
}

// nothingLeft reports whether a night ended because no link was left, or because the next pages promised too little.
func (n pastNight) nothingLeft() bool {
	return strings.HasPrefix(n.stop, "no links left") && !strings.Contains(n.stop, " for the next crawl") || strings.HasPrefix(n.stop, "the next ") && strings.Contains(n.stop, " promise ")
}

// timeUp reports whether a night ended because its time was over.
func (n pastNight) timeUp() bool {
	return strings.HasPrefix(n.stop, "window closed") || strings.HasPrefix(n.stop, "budget of ") && strings.Contains(n.stop, " minute")
}

// earlierNights lists what the last crawls of a topic brought that have ended, oldest first, without those of maps.
func earlierNights(ctx context.Context, d *db.DB, topicID int64) ([]pastNight, error) {
	nights, err := db.Query(ctx, d.Readers, func(r db.Scanner) (n pastNight, err error) {
		err = r.Scan(&n.crawl, &n.Fetched, &n.stop, db.JSONOf(&n.options))
		n.Ended = n.nothingLeft()
		return n, err
	}, `SELECT id, fetched, stop_reason, options FROM crawls
		WHERE topic_id = ?1 AND status = 'ended' AND fetched > 0 AND NOT coalesce(json_extract(options, '$.for_map'), 0) ORDER BY id DESC LIMIT ?2`,
		topicID, pastNights)
	if err != nil {
		return nil, fmt.Errorf("read the earlier nights of topic %d: %w", topicID, err)
	}
	slices.Reverse(nights)
	var crawls []int64
	for _, n := range nights {
		crawls = append(crawls, n.crawl)
	}
	yields, err := calibration.Yields(ctx, d, crawls)
	for i := range nights {
		nights[i].Useful = yields[nights[i].crawl].Expected
	}
	return nights, err
}

// OfTopic lists the forecasts of a topic's last crawls beside what came, newest first; of all topics for topic 0. crawlID is
// that of one crawl, or 0 for at most limit of them.
func OfTopic(ctx context.Context, d *db.DB, topicID, crawlID int64, limit int) ([]Foretold, error) {
	return forecasts(ctx, d, `(?1 = 0 OR c.topic_id = ?1) AND (?2 = 0 OR c.id = ?2)`, topicID, crawlID, limit)
}

// Before lists at most limit forecasts of crawls with an id below before, newest first; 0 starts with the newest.
func Before(ctx context.Context, d *db.DB, before int64, limit int) ([]Foretold, error) {
	return forecasts(ctx, d, `(?1 = 0 OR c.id < ?1) AND ?2 = 0`, before, 0, limit)
}

func forecasts(ctx context.Context, d *db.DB, condition string, args ...any) ([]Foretold, error) {
	all, err := db.Query(ctx, d.Readers, func(r db.Scanner) (f Foretold, err error) {
		return f, r.Scan(&f.CrawlID, &f.Night, &f.Fetched, &f.Live, db.TimeOf(&f.MadeAt), &f.Pages, &f.Expected, &f.Low, &f.High,
			&f.Version, db.JSONOf(&f.Inputs))
	}, `SELECT c.id, night, c.fetched, status <> 'ended', made_at, pages, expected, low, high, version, inputs
		FROM forecasts o CROSS JOIN crawls c ON c.id = o.crawl_id WHERE `+condition+` ORDER BY o.crawl_id DESC LIMIT ?3`, args...)
	if err != nil {
		return nil, fmt.Errorf("list forecasts: %w", err)
	}
	return all, addCame(ctx, d, all)
}

// addCame fills in what came.
func addCame(ctx context.Context, d *db.DB, all []Foretold) error {
	var crawls []int64
	for _, f := range all {
		crawls = append(crawls, f.CrawlID)
	}
	yields, err := calibration.Yields(ctx, d, crawls)
	for i := range all {
		y := yields[all[i].CrawlID]
		all[i].Came, all[i].Marked, all[i].Finds = y.Expected, y.Finds-y.Open, y.Finds
	}
	return err
}

// Put stores the forecast of a new crawl in the transaction that creates the crawl. A nil forecast stores nothing.
func (m *Made) Put(w *db.Work, crawlID int64, at time.Time) {
	if m == nil {
		return
	}
	w.Exec(`INSERT INTO forecasts (crawl_id, made_at, pages, expected, low, high, version, inputs) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		crawlID, db.Millis(at), m.Pages, m.Expected, m.Low, m.High, m.Version, db.JSONOf(m.Inputs))
}

// newStarts counts the start pages that are not among earlier ones.
func newStarts(starts, earlier []string) (n int) {
	for _, url := range starts {
		if !slices.Contains(earlier, url) {
			n++
		}
	}
	return n
}
