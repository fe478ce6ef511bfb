package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/lab/farm/traps"
	"nightjar/daemon/session"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
	"nightjar/model"
)

// lead is the host of the page that the night starts from.
const lead = "lead.test"

// others is the proxy of all hosts that are not the farm's.
const others = "others"

// sessionPages is how many pages the person had seen.
const sessionPages = 150

// stage is the web that is crawled: the farm behind its proxies, and the traps.
type stage struct {
	farm    *farm.Farm
	traps   *traps.Farm
	proxies *proxies
	seen    *seen
	rules   []fetch.Resolve
	server  *http.Server
}

// build serves everything.
func build(ctx context.Context, o options, s *seen) (_ *stage, err error) {
	st := &stage{seen: s, traps: traps.New(http.NotFoundHandler())}
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
	if st.proxies, err = startProxies(ctx, o.Source, freePort(), o.log); err != nil {
		return nil, err
	}
	for i, rule := range st.farm.Resolve() {
		listen := fmt.Sprintf("127.2.%d.%d:%d", i/250, i%250+1, o.Port)
		if err := st.proxies.add(ctx, rule.Pattern, listen, rule.Addr); err != nil {
			return nil, err
		}
		st.rules = append(st.rules, fetch.Resolve{Pattern: rule.Pattern, Addr: listen})
	}
	l, err := net.Listen("tcp4", fmt.Sprintf("127.3.0.1:%d", o.Port))
	if err != nil {
		return nil, err
	}
	s.next = http.HandlerFunc(st.others)
	st.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = st.server.Serve(l) }() // ends when it is closed
	listen := fmt.Sprintf("127.3.0.2:%d", o.Port)
	st.rules = append(st.rules, fetch.Resolve{Pattern: "*.test", Addr: listen})
	return st, st.proxies.add(ctx, others, listen, l.Addr().String())
}

// Close ends all servers.
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

// others answers for the hosts that are not of the farm.
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
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><title>Where to go</title><h1>Where to go</h1><p>A list of sites, good ones and others, that somebody once put together.</p><ul>")
	for _, u := range append(st.farm.Starts(), traps.Entrances()...) {
		fmt.Fprintf(&b, "<li><a href=%q>%s</a>", u, u)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(b.String())) // nobody to tell
}

// settle writes the database that the night begins with: settings, a topic that was learned, and its start page.
func (st *stage) settle(ctx context.Context, o options, path string) error {
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	s := settings.Default()
	s.Night = settings.Window{Enabled: true, Start: o.opens().Format("15:04"), End: o.opens().Add(o.length()).Format("15:04"), Zone: "UTC"}
	s.Budget = settings.Budget{Pages: o.Budget, Megabytes: 4000, PerHost: 300, PerSite: 600}
	s.Delay, s.Contact, s.DiskFloor = o.Delay, "https://example.org/about-this-crawler", 200
	if err := db.SaveSettings(ctx, s); err != nil {
		return err
	}
	topic, err := db.CreateTopic(ctx, st.farm.Topic())
	if err != nil {
		return err
	}
	bundle, err := model.Train(ctx, st.session(), model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if _, err := db.SaveModel(ctx, topic.ID, bundle, store.ModelFacts{}); err != nil {
		return err
	}
	_, err = db.AddStart(ctx, topic.ID, "http://"+lead+"/")
	return err
}

// session is what a person saw of the farm who went breadth-first from some front pages, and marked what is about the
// topic.
func (st *stage) session() model.TrainingSet {
	set := model.TrainingSet{Topic: st.farm.Topic(), LastEvent: time.Unix(1, 0)}
	at := map[string]int{}
	var read []*page.Page
	next := append([]string(nil), st.farm.Starts()[:5]...)
	for len(next) > 0 && len(read) < sessionPages {
		url := next[0]
		next = next[1:]
		if _, ok := at[url]; ok {
			continue
		}
		p, err := page.Parse(url, page.ContentUTF8, st.farm.HTML(url))
		if err != nil {
			continue
		}
		at[url] = len(read)
		read = append(read, p)
		for i, l := range p.Links {
			if i < 8 {
				next = append(next, l.URL)
			}
		}
	}
	for i, p := range read {
		here := model.Page{URL: p.URL, Title: p.Title, Text: p.Text, Target: st.farm.Relevant(p.URL)}
		for _, l := range p.Links {
			to, ok := at[l.URL]
			if !ok {
				to = -1
			} else if to != i {
				set.Edges = append(set.Edges, [2]int{i, to})
			}
			here.Links = append(here.Links, model.Link{To: to, Link: session.LinkOf(l)})
		}
		set.Pages = append(set.Pages, here)
	}
	return set
}

// freePort is a port that nobody listens on.
func freePort() int {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 8474
	}
	defer func() { _ = l.Close() }() // only its port was wanted
	return l.Addr().(*net.TCPAddr).Port
}

// writeRules writes where the hosts are, for the worker.
func (st *stage) writeRules(path string) error {
	var b strings.Builder
	for _, r := range st.rules {
		b.WriteString(r.String() + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
