package night

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/lab/farm/traps"
	"nightjar/daemon/lab/toxics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/settings"
	"nightjar/daemon/store"
	"nightjar/model"
)

// lead is the host of the start page.
const lead = "lead.test"

// others is the name of the proxy for all hosts outside the farm.
const others = "others"

// sessionPages is how many pages the person visited.
const sessionPages = 150

// stage is the crawled web: the farm behind its proxies, and the traps.
type stage struct {
	farm    *farm.Farm
	traps   *traps.Farm
	proxies *toxics.Proxies
	rules   []string // PATTERN=ADDR:PORT of each host
	server  *http.Server
}

// build starts all servers.
func build(ctx context.Context, o options, s *seen) (_ *stage, err error) {
	st := &stage{traps: traps.New(http.NotFoundHandler())}
	defer func() {
		if err != nil {
			st.Close()
		}
	}()
	st.farm, err = farm.Open(farm.Options{
		Hosts: o.Hosts, Pages: o.Pages, Seed: o.Seed, Delay: o.delay(), Clock: s.clock, OnRequest: s.farm,
		Faults: farm.Faults{Latency: 4 * time.Second, Slow: .05, Errors: .05, Limits: .05, RetryAfter: 5 * time.Minute, Resets: .003, Dead: .02},
	})
	if err != nil {
		return nil, err
	}
	root, err := devtool.Root()
	if err != nil {
		return nil, err
	}
	if st.proxies, err = toxics.Start(ctx, root, freePort(), o.log); err != nil {
		return nil, err
	}
	for i, rule := range st.farm.Resolve() {
		listen := fmt.Sprintf("127.2.%d.%d:%d", i/250, i%250+1, o.Port)
		if err := st.proxies.Add(ctx, rule.Pattern, listen, rule.Addr); err != nil {
			return nil, err
		}
		st.rules = append(st.rules, rule.Pattern+"="+listen)
	}
	l, err := net.Listen("tcp4", fmt.Sprintf("127.3.0.1:%d", o.Port))
	if err != nil {
		return nil, err
	}
	s.next = http.HandlerFunc(st.others)
	st.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = st.server.Serve(l) }() // until Close
	listen := fmt.Sprintf("127.3.0.2:%d", o.Port)
	st.rules = append(st.rules, "*.test="+listen)
	return st, st.proxies.Add(ctx, others, listen, l.Addr().String())
}

// Close stops all servers.
func (st *stage) Close() {
	st.traps.Close()
	if st.server != nil {
		st.server.Close()
	}
	if st.proxies != nil {
		st.proxies.Close()
	}
	if st.farm != nil {
		st.farm.Close()
	}
}

// others answers for the hosts outside the farm.
func (st *stage) others(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	if host == "" {
		host = r.Host
	}
	if host != lead {
		st.traps.ServeHTTP(w, r)
		return
	}
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><title>Where to go</title><h1>Where to go</h1><p>A list of sites, good ones and others, that somebody once put together.</p><ul>")
	for _, u := range append(st.farm.Starts(), traps.Entrances()...) {
		fmt.Fprintf(&b, "<li><a href=%q>%s</a>", u, u)
	}
	_, _ = w.Write([]byte(b.String())) // the client may have gone
}

// settle writes the database at the start of the night: settings, a topic with its model, and the start page.
func (st *stage) settle(ctx context.Context, o options, path string) error {
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	s := settings.Default()
	s.Night = settings.Window{Enabled: true, Start: o.opens().Format("15:04"), End: o.opens().Add(o.length()).Format("15:04"), Zone: "UTC"}
	s.Budget = settings.Budget{Pages: o.Budget, Megabytes: 4000, PerHost: 300, PerSite: 600}
	s.Delay, s.Contact = o.Delay, "https://example.org/about-this-crawler"
	if err := db.SaveSettings(ctx, s); err != nil {
		return err
	}
	topic, err := db.CreateTopic(ctx, st.farm.Topic())
	if err != nil {
		return err
	}
	bundle, err := model.Train(ctx, st.farm.Surfed(sessionPages), model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if _, err := models.Save(ctx, db.DB, topic.ID, bundle, models.Facts{}); err != nil {
		return err
	}
	_, err = startpages.Add(ctx, db.DB, topic.ID, "http://"+lead+"/")
	return err
}

// freePort is an unused port.
func freePort() int {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 8474
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}
