package dashboard

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/store"
)

// Aims for every page.
const (
	aimTime  = 200.0   // milliseconds at the 95th percentile
	aimBytes = 150_000 // uncompressed, which is what the dashboard sends
)

// result is what was measured.
type result struct {
	Pages, Links int // that were asked for
	Bytes        int64
	Rows         map[string]int
	Routes       []route
	Left         []string   // routes that were not requested, and why
	Load         [2]float64 // mean numbers of processes that wanted a processor in the last minute, before and after; 0 if unknown
}

// route is the measurement of one route of the dashboard.
type route struct {
	Route     string
	Addresses int
	Status    int     // of the first answer
	Cold      float64 // milliseconds, the slowest first request of an address
	P50       float64 // of all requests
	P95       float64
	Max       float64
	CPU       float64 // of all processors, each request on average, with what went on in the background meanwhile
	Bytes     int     // of the largest answer
}

// OK reports whether the route reaches the aims.
func (r route) OK() bool { return r.P95 < aimTime && r.Bytes < aimBytes }

// measure opens the daemon on the database, serves its dashboard and requests every page. Training, crawling and indexing
// do not run.
func measure(ctx context.Context, o *options) (*result, error) {
	s, err := sample(ctx, filepath.Join(o.Dir, "nightjar.db"), o.Addresses)
	if err != nil {
		return nil, err
	}
	a, err := app.Open(ctx, app.Config{Data: o.Dir, Listen: "127.0.0.1:0"}, command.NewLogger(os.Stderr, slog.LevelWarn))
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	server := &http.Server{Handler: a.Web.Handler(), ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	r := &result{Pages: o.Pages, Links: o.Pages * o.Links, Rows: s.rows, Load: [2]float64{devtool.Load1()}}
	if info, err := os.Stat(filepath.Join(o.Dir, "nightjar.db")); err == nil {
		r.Bytes = info.Size()
	}
	v, err := devtool.Login(ctx, listener.Addr().String(), a.Web.LoginURL(""))
	for _, pattern := range a.Web.Pages() {
		if err != nil {
			break
		}
		addresses, why := s.addresses(pattern)
		if why != "" {
			r.Left = append(r.Left, pattern+": "+why)
			continue
		}
		for name, list := range addresses {
			var one route
			if one, err = measureRoute(ctx, v, name, list, o.Requests); err != nil {
				break
			}
			r.Routes = append(r.Routes, one)
		}
	}
	r.Load[1] = devtool.Load1()
	slices.SortFunc(r.Routes, func(a, b route) int { return strings.Compare(a.Route, b.Route) })
	err = errors.Join(err, server.Close())
	if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return r, errors.Join(err, a.Close())
}

// route measures some addresses of a route.
func measureRoute(ctx context.Context, v *devtool.Visitor, name string, addresses []string, requests int) (route, error) {
	r := route{Route: name, Addresses: len(addresses)}
	var all []float64
	spent := devtool.CPUTime()
	for i := range requests {
		for _, address := range addresses {
			begin := time.Now()
			res, n, err := v.Do(ctx, http.MethodGet, address)
			if err != nil {
				return r, fmt.Errorf("%s: %w", address, err)
			}
			took := devtool.Milliseconds(time.Since(begin))
			all = append(all, took)
			r.Bytes = max(r.Bytes, n)
			if i == 0 {
				r.Cold = max(r.Cold, took)
			}
			if r.Status == 0 || res.StatusCode >= 400 {
				r.Status = res.StatusCode
			}
			if took > 5000 { // hopeless: more requests would only take time
				requests = 2
			}
		}
		if i >= requests {
			break
		}
	}
	r.CPU = devtool.Milliseconds(devtool.CPUTime()-spent) / float64(len(all))
	slices.Sort(all)
	r.P50, r.P95, r.Max = all[len(all)/2], all[(len(all)*95+99)/100-1], all[len(all)-1]
	return r, nil
}

// samples are real ids of a database.
type samples struct {
	values map[string][]string // by what they replace in a route
	rows   map[string]int
}

// sample reads ids from a database, the newest and others spread over all of it.
func sample(ctx context.Context, name string, n int) (*samples, error) {
	db, err := sql.Open("sqlite", store.FileURL(name)+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := &samples{values: map[string][]string{}, rows: map[string]int{}}
	for key, text := range map[string]string{
		"/sessions/{uuid}":                 `SELECT uuid FROM (SELECT uuid, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM sessions) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/topics/{topic}":                  `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM topics) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/model/{topic}":                   `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM topics WHERE id IN (SELECT topic_id FROM models)) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/tonight/{topic}":                 `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM topics WHERE id IN (SELECT topic_id FROM models)) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/model/{topic}/{version}":         `SELECT topic_id || '/' || version FROM models ORDER BY id LIMIT ?1`,
		"/crawls/{id}":                     `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM crawls) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/finds/{id}":                      `SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM finds) WHERE (r - 1) % max(1, n / ?1) = 0 LIMIT ?1`,
		"/teach/{topic}":                   `SELECT topic_id FROM models GROUP BY topic_id ORDER BY topic_id LIMIT ?1`,
		"/communities/{map}":               `SELECT max(id) FROM maps GROUP BY source LIMIT ?1`,
		"/communities/{map}/{community}":   `SELECT id || '/1' FROM maps WHERE state = 'done' ORDER BY id DESC LIMIT ?1`,
		"/communities/{map}/pages/{fetch}": `SELECT max(id) || '/pages/' || (SELECT max(fetch_id) FROM map_pages) FROM maps WHERE state = 'done' LIMIT ?1`,
		"/explore/{grouping}":              `SELECT id FROM groupings WHERE state = 'done' ORDER BY id DESC LIMIT ?1`,
		"/explore/pages/{id}":              `SELECT dst FROM (SELECT dst, count(*) AS n FROM link GROUP BY dst ORDER BY n DESC LIMIT 1000) WHERE dst % 200 = 0 OR n > 100 LIMIT ?1`,
		"/explore/ontologies/{ontology}":   `SELECT id FROM ontologies ORDER BY id LIMIT ?1`,
		"visit":                            `SELECT s.uuid || '/visits/delete?load=' || min(v.load) FROM sessions s JOIN visits v ON v.session_id = s.id WHERE s.id IN (SELECT id FROM sessions ORDER BY id DESC LIMIT ?1) GROUP BY s.id`,
		"/workers/{name}":                  `SELECT name FROM workers ORDER BY id LIMIT ?1`,
		"/topics/{topic}/parts":            `SELECT DISTINCT topic_id FROM combined LIMIT ?1`,
		"page":                             `SELECT url FROM (SELECT url, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS n FROM pages) WHERE r % max(1, n / ?1) = 0 LIMIT ?1`,
		"find":                             `SELECT url FROM finds ORDER BY id DESC LIMIT ?1`,
		"title":                            `SELECT title FROM pages ORDER BY id DESC LIMIT ?1`,
		"/model/{topic}/{version}/{part}":  `SELECT topic_id || '/' || version || '/graph' FROM models ORDER BY id LIMIT ?1`,
	} {
		rows, err := db.QueryContext(ctx, text, n)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		for rows.Next() {
			var v sql.NullString // NULL of a maximum of nothing, in a small database
			if err := rows.Scan(&v); err != nil {
				return nil, errors.Join(err, rows.Close())
			}
			if v.Valid {
				s.values[key] = append(s.values[key], v.String)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, err
		}
	}
	for _, table := range []string{"topics", "sessions", "events", "visits", "pages", "crawls", "fetches", "frontier", "finds", "feedback", "contents", "search_entries", "maps", "map_pages"} {
		var rows int
		if err := db.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
			return nil, err
		}
		s.rows[table] = rows
	}
	return s, nil
}

// skipped are routes that are no pages, with the reason.
var skipped = map[string]string{
	"/events":                   "a stream that does not end",
	"/settings/backup":          "sends the whole database",
	"/login":                    "needs no database",
	"/static/{hash}/{name}":     "no page",
	"/sessions/{uuid}/export":   "sends a whole session as a file",
	"/finds/export":             "sends all finds as a file",
	"/communities/{map}/report": "sends a map as a file",

	"/explore/ontologies/{ontology}/export": "sends an ontology as a file",
	"/explore/{grouping}/export":            "sends a grouping as a file",
	"/explore/operators/export":             "sends a result as a file",
}

// addresses returns the addresses to request of a route, under a name each kind; or why there is none.
func (s *samples) addresses(pattern string) (map[string][]string, string) {
	if why := skipped[pattern]; why != "" {
		return nil, why
	}
	kinds := map[string][]string{}
	switch pattern {
	case "/":
		kinds["/"] = []string{"/"}
		for _, state := range []string{"open", "useful", "all"} {
			kinds["/?state="+state] = []string{"/?state=" + state}
		}
		kinds["/?q=WORD"] = []string{"/?state=all&q=" + firstWord(s.values["title"][0])}
		kinds["/?topic=ID"] = with("/?state=all&topic=", s.values["/topics/{topic}"])
		kinds["/?after=4000"] = []string{"/?state=all&after=4000"}
	case "/search":
		kinds["/search"] = []string{"/search"}
		for _, t := range s.values["title"] {
			kinds["/search?q=WORDS"] = append(kinds["/search?q=WORDS"], "/search?q="+url.QueryEscape(t))
			kinds["/search?q=WORD"] = append(kinds["/search?q=WORD"], "/search?q="+firstWord(t))
		}
		kinds["/search?q=FREQUENT"] = []string{"/search?q=page", "/search?q=site1", "/search?q=page&kind=found"}
		kinds["/search?site=HOST"] = []string{"/search?site=site1.example", "/search?site=example"}
		kinds["/search?topic=ID"] = with("/search?topic=", s.values["/topics/{topic}"])
		kinds["/search?since=DATE"] = []string{"/search?kind=found&since=" + time.Now().AddDate(0, -2, 0).Format(time.DateOnly)}
		kinds["/search?url=ADDRESS"] = with("/search?url=", append(s.values["page"], s.values["find"]...))
		kinds["/search?like=ADDRESS"] = with("/search?like=", append(s.values["page"], s.values["find"]...))
	case "/explore/{grouping}":
		for _, v := range s.values[pattern] {
			kinds[pattern] = append(kinds[pattern], "/explore/"+v)
			kinds[pattern+"?level=L"] = append(kinds[pattern+"?level=L"], "/explore/"+v+"?level=0", "/explore/"+v+"?level=9")
			kinds[pattern+"?q=WORDS"] = append(kinds[pattern+"?q=WORDS"], "/explore/"+v+"?q=baba+dada")
		}
	case "/explore/operators":
		kinds[pattern] = []string{pattern}
		kinds[pattern+"?q=EXPRESSION"] = with("/explore/operators?q=", []string{"weightedTargetKeywords([http://site1.test/*], []) | top 20", "crawl([http://site1.test/page41], 1)"})
	case "/explore/compare":
		kinds[pattern] = []string{pattern, "/explore/compare?a=" + url.QueryEscape("http://site1.test/*") + "&b=" + url.QueryEscape("http://site2.test/*")}
	case "/sessions/{uuid}/visits/delete":
		for _, v := range s.values["visit"] {
			kinds[pattern] = append(kinds[pattern], "/sessions/"+v)
		}
	case "/settings/erase":
		kinds["/settings/erase?host=HOST"] = []string{"/settings/erase?host=site1.example"}
		kinds["/settings/erase?count=1"] = []string{"/settings/erase?count=1&host=site1.example"}
	case "/settings/space": // the second is what the page's script loads
		kinds[pattern], kinds[pattern+"?count=1"] = []string{pattern}, []string{pattern + "?count=1"}
	default:
		best := ""
		for prefix := range s.values {
			if strings.HasPrefix(prefix, "/") && strings.HasPrefix(pattern, prefix) && len(prefix) > len(best) {
				best = prefix
			}
		}
		for _, v := range s.values[best] {
			kinds[pattern] = append(kinds[pattern], fill(best, v)+strings.TrimPrefix(pattern, best))
		}
		if pattern == "/topics/{topic}/delete" {
			for _, address := range kinds[pattern] {
				kinds[pattern+"?count=1"] = append(kinds[pattern+"?count=1"], address+"?count=1")
			}
		}
		if best == "" {
			kinds[pattern] = []string{pattern}
		}
		if strings.Contains(strings.Join(kinds[pattern], ""), "{") || len(kinds[pattern]) == 0 {
			return nil, "no ids are known for it: add them to sample"
		}
	}
	return kinds, ""
}

// fill puts a value in the place of a prefix's parameters, from the first to the last one.
func fill(prefix, value string) string {
	return prefix[:strings.Index(prefix, "{")] + value + prefix[strings.LastIndex(prefix, "}")+1:]
}

func with(prefix string, values []string) []string {
	var all []string
	for _, v := range values {
		all = append(all, prefix+url.QueryEscape(v))
	}
	return all
}

func firstWord(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return url.QueryEscape(first)
}
