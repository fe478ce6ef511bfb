package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/forecast"
)

// Forecast is what was foretold of a crawl when it was created.
type Forecast struct {
	forecast.Forecast
	MadeAt  time.Time
	Pages   int // of the crawl's budget; 0 for no limit
	Version int // forecast.Version then
	Inputs  forecast.Inputs
}

// Foretold is a crawl's forecast beside what came.
type Foretold struct {
	Forecast
	CrawlID int64
	Night   string // see CrawlView
	Started time.Time
	Fetched int
	Came    float64 // useful pages, by the marks and the judge's probabilities; see forecast.Judged
	Marked  int     // finds that the person judged
	Finds   int
	Live    bool // it has not ended: more may come
}

// Held reports whether what came lies in the interval, both as whole numbers of pages.
func (f Foretold) Held() bool { return f.Forecast.Holds(f.Came) }

// pastNights is how many earlier nights of a topic a forecast looks at.
const pastNights = 12

// Foresee reads what is known of a topic before a crawl from some start pages, for forecast.Make. pages is the crawl's part of
// the budget, 0 for no limit. A last night that the clock ended says how many pages there is time for. It returns ErrNotFound for a
// topic without a model.
func (s *Store) Foresee(ctx context.Context, topicID int64, starts []string, strategy string, pages int) (forecast.Inputs, error) {
	in := forecast.Inputs{Budget: pages, Starts: len(starts), NewStarts: len(starts), Strategy: strategy}
	err := s.r.QueryRowContext(ctx, `SELECT coalesce(json_extract(facts, '$.pages'), 0), coalesce(json_extract(facts, '$.targets'), 0) FROM models
		WHERE topic_id = ? AND length(bundle) > 0 ORDER BY version DESC LIMIT 1`, topicID).Scan(&in.Pages, &in.Useful)
	if err != nil {
		return in, missing(err, "read what the model learned from")
	}
	past, err := s.earlierNights(ctx, topicID)
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

// pastNight is an earlier night with what only the store needs of it.
type pastNight struct {
	forecast.Night
	crawl   int64
	judged  forecast.Judged
	stop    string
	options CrawlOptions
}

// nothingLeft reports whether a night ended because no link was left, or because the next pages promised too little.
func (n pastNight) nothingLeft() bool {
	return strings.HasPrefix(n.stop, "no links left") || strings.HasPrefix(n.stop, "the next ") && strings.Contains(n.stop, " promise ")
}

// timeUp reports whether a night ended because its time was over.
func (n pastNight) timeUp() bool {
	return strings.HasPrefix(n.stop, "window closed") || strings.HasPrefix(n.stop, "budget of ") && strings.Contains(n.stop, " minute")
}

// earlierNights lists what the last crawls of a topic brought that have ended, oldest first, without those of maps.
func (s *Store) earlierNights(ctx context.Context, topicID int64) ([]pastNight, error) {
	nights, err := query(ctx, s.r, func(r scanner) (pastNight, error) {
		var n pastNight
		var options string
		err := r.Scan(&n.crawl, &n.Fetched, &n.stop, &options, &n.judged.Useful, &n.judged.Refused, &n.judged.Said, &n.judged.Open, &n.Late)
		if err != nil {
			return n, err
		}
		n.Ended = n.nothingLeft()
		return n, json.Unmarshal([]byte(options), &n.options)
	}, `WITH last AS MATERIALIZED (SELECT id, fetched, stop_reason, options,
			(SELECT max(n) FROM fetches WHERE crawl_id = crawls.id) AS n FROM crawls
			WHERE topic_id = ?1 AND status = 'ended' AND fetched > 0 AND NOT coalesce(json_extract(options, '$.for_map'), 0) ORDER BY id DESC LIMIT ?2)
		SELECT last.id, last.fetched, stop_reason, options, `+judgedFinds+`,
			coalesce(sum(CASE WHEN w.n > 0.8 * last.n THEN iif(mark = 'useful', 1, iif(mark IN `+refusedMarks+`, 0, f.useful)) END), 0)
		FROM last LEFT JOIN finds f ON f.crawl_id = last.id AND `+shownFinds+` LEFT JOIN fetches w ON w.id = f.fetch_id
		GROUP BY last.id`, topicID, pastNights)
	if err != nil {
		return nil, fmt.Errorf("read the earlier nights of topic %d: %w", topicID, err)
	}
	slices.SortFunc(nights, func(a, b pastNight) int { return cmp.Compare(a.crawl, b.crawl) })
	var all forecast.Judged
	for _, n := range nights {
		all = all.Add(n.judged)
	}
	for i := range nights {
		n := &nights[i]
		n.Useful = n.judged.Came(all.Ratio())
		n.Late = min(n.Late, n.Useful)
	}
	return nights, nil
}

// judgedFinds are the sums of forecast.Judged over rows of finds, f, of which the probability is f.useful. refusedMarks are the
// marks that say that a find is of no use.
const (
	refusedMarks = `('not-useful', 'off-topic')`
	judgedFinds  = `count(iif(mark = 'useful', 1, NULL)), count(iif(mark IN ` + refusedMarks + `, 1, NULL)),
		coalesce(sum(iif(mark = 'useful' OR mark IN ` + refusedMarks + `, f.useful, 0)), 0),
		coalesce(sum(iif(mark = 'useful' OR mark IN ` + refusedMarks + `, 0, f.useful)), 0)`
)

// Forecasts lists the forecasts of a topic's last crawls beside what came, newest first; of all topics for topic 0. crawlID is
// that of one crawl, or 0 for at most limit of them.
func (s *Store) Forecasts(ctx context.Context, topicID, crawlID int64, limit int) ([]Foretold, error) {
	return s.forecasts(ctx, `(?1 = 0 OR c.topic_id = ?1) AND (?2 = 0 OR c.id = ?2)`, topicID, crawlID, limit)
}

// ForecastsBefore lists at most limit forecasts of crawls with an id below before, newest first; 0 starts with the newest.
func (s *Store) ForecastsBefore(ctx context.Context, before int64, limit int) ([]Foretold, error) {
	return s.forecasts(ctx, `(?1 = 0 OR c.id < ?1) AND ?2 = 0`, before, 0, limit)
}

func (s *Store) forecasts(ctx context.Context, condition string, args ...any) ([]Foretold, error) {
	type row struct {
		f      Foretold
		topic  int64
		judged forecast.Judged
	}
	rows, err := query(ctx, s.r, func(r scanner) (row, error) {
		var one row
		var inputs string
		var made, created, started sql.NullInt64
		f := &one.f
		err := r.Scan(&f.CrawlID, &one.topic, &f.Night, &f.Fetched, &f.Live, &created, &started, &made, &f.Pages, &f.Expected, &f.Low, &f.High, &f.Version,
			&inputs, &f.Finds, &one.judged.Useful, &one.judged.Refused, &one.judged.Said, &one.judged.Open)
		if err != nil {
			return one, err
		}
		f.MadeAt, f.Started = moment(made), moment(started)
		if f.Started.IsZero() {
			f.Started = moment(created)
		}
		f.Marked = one.judged.Useful + one.judged.Refused
		return one, json.Unmarshal([]byte(inputs), &f.Inputs)
	}, `WITH last AS MATERIALIZED (SELECT c.* FROM forecasts o CROSS JOIN crawls c ON c.id = o.crawl_id
			WHERE `+condition+` ORDER BY o.crawl_id DESC LIMIT ?3)
		SELECT last.id, last.topic_id, night, last.fetched, status <> 'ended', created_at, started_at, made_at, pages, expected, low, high, version, inputs,
			count(f.id), `+judgedFinds+`
		FROM last CROSS JOIN forecasts o ON o.crawl_id = last.id LEFT JOIN finds f ON f.crawl_id = last.id AND `+shownFinds+`
		GROUP BY last.id ORDER BY last.id DESC`, args...)
	if err != nil {
		return nil, fmt.Errorf("list forecasts: %w", err)
	}
	ratios := map[int64]float64{}
	var all []Foretold
	for _, one := range rows {
		ratio, known := ratios[one.topic]
		if !known {
			if ratio, err = s.usefulRatio(ctx, one.topic); err != nil {
				return nil, err
			}
			ratios[one.topic] = ratio
		}
		one.f.Came = one.judged.Came(ratio)
		all = append(all, one.f)
	}
	return all, nil
}

// usefulRatio is how many useful pages came for each that the judge promised, by the marks on a topic's finds.
func (s *Store) usefulRatio(ctx context.Context, topicID int64) (float64, error) {
	all, err := query(ctx, s.r, func(r scanner) (j forecast.Judged, err error) {
		return j, r.Scan(&j.Useful, &j.Refused, &j.Said, &j.Open)
	}, `SELECT `+judgedFinds+` FROM finds f WHERE topic_id = ? AND `+shownFinds, topicID)
	if err != nil {
		return 0, fmt.Errorf("read the marks of topic %d: %w", topicID, err)
	}
	return all[0].Ratio(), nil
}

// putForecast stores what is foretold of a crawl.
func (s *Store) putForecast(ctx context.Context, tx *sql.Tx, crawlID int64, f *Forecast) error {
	inputs, err := json.Marshal(f.Inputs)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO forecasts (crawl_id, made_at, pages, expected, low, high, version, inputs) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		crawlID, millis(s.Now()), f.Pages, f.Expected, f.Low, f.High, f.Version, string(inputs))
	return err
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
