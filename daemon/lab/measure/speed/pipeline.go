package speed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/model"
)

// userAgent is the contenders' User-Agent.
const userAgent = "Nightjar/bench (+https://example.org/nightjar)"

// crawlJob makes a job of a contender's crawl.
func crawlJob(name string, crawl func(context.Context, *crawlSpec) (*crawled, error)) command.Command {
	return verb.Job("speed "+name, verb.Answer(func(ctx context.Context, spec *crawlSpec) (*crawled, error) {
		c, err := crawl(ctx, spec)
		if err == nil {
			c.Peak = devtool.PeakMemory()
		}
		return c, err
	}))
}

// stopwatch measures wall-clock and processor time.
type stopwatch struct {
	began time.Time
	spent time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), devtool.CPUTime()} }

func (w stopwatch) stop(c *crawled) {
	c.Seconds = time.Since(w.began).Seconds()
	c.CPU = (devtool.CPUTime() - w.spent).Seconds()
}

// crawlPipeline crawls as the daemon does, and keeps everything: database, learned state, archive.
func crawlPipeline(ctx context.Context, spec *crawlSpec) (*crawled, error) {
	raw, err := os.ReadFile(spec.Bundle)
	if err != nil {
		return nil, err
	}
	b, err := model.Decode(raw)
	if err != nil {
		return nil, err
	}
	st, err := store.Open(ctx, filepath.Join(spec.Dir, "nightjar.db"))
	if err != nil {
		return nil, err
	}
	defer st.Close()
	run, err := startCrawl(ctx, st, b, spec.Starts)
	if err != nil {
		return nil, err
	}
	s, err := strategy.New(ctx, strategy.Best, b)
	if err != nil {
		return nil, err
	}
	c, err := crawlInto(ctx, spec, st, run, s)
	if err != nil {
		return nil, err
	}
	c.Kept, err = sizeOf(spec.Dir)
	return c, err
}

// startCrawl stores a topic with its model, and starts a crawl for it.
func startCrawl(ctx context.Context, st *store.Store, b *model.Bundle, starts []string) (run crawls.Crawl, err error) {
	topic, err := topics.Create(ctx, st.DB, "Bench")
	if err != nil {
		return run, err
	}
	m, err := models.Save(ctx, st.DB, st.Erasures(), topic.ID, b, models.Facts{Facts: b.Facts})
	if err != nil {
		return run, err
	}
	id, err := crawls.Create(ctx, st.DB, crawls.Crawl{TopicID: topic.ID, ModelID: m.ID, Strategy: strategy.Best, Options: crawls.Options{Starts: starts}})
	if err != nil {
		return run, err
	}
	if err := crawls.Start(ctx, st.DB, id); err != nil {
		return run, err
	}
	return crawls.Get(ctx, st.DB, id)
}

// crawlInto crawls with the store as journal, and measures the crawl.
func crawlInto(ctx context.Context, spec *crawlSpec, st *store.Store, run crawls.Crawl, s strategy.Strategy) (*crawled, error) {
	live := fetch.NewLive(fetch.LiveOptions{
		Delay: time.Duration(spec.Millis) * time.Millisecond, UserAgent: userAgent, Resolve: resolve(spec.Addrs), Keep: true,
	})
	defer live.Close()
	kept, err := archive.Open(archive.Options{Dir: filepath.Join(spec.Dir, "archive"), Software: "Nightjar/bench"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = kept.Close() }() // for early returns; a second Close does nothing
	resume, err := crawls.Resume(ctx, st.DB, run.ID)
	if err != nil {
		return nil, err
	}
	c := &crawled{Failed: make(map[string]int)}
	if spec.Window > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(spec.Window)*time.Millisecond)
		defer cancel()
	}
	defer machine.HoldMemory()()
	profiled, err := profile(spec.Profile)
	if err != nil {
		return nil, err
	}
	defer profiled()
	began := time.Now()
	watch := startWatch()
	var guard *trap.Guard
	if !spec.NoTrap {
		guard = trap.New(trap.Options{Pages: spec.Pages, Starts: spec.Starts})
	}
	result, err := crawler.Run(ctx, live, s, crawler.Options{
		Budget: crawler.Budget{Pages: spec.Pages}, Workers: spec.Workers, Journal: crawls.NewJournal(st.DB, run), Resume: resume,
		Archive: kept, Trap: guard, Live: true,
		OnPause: func(why string) { fmt.Fprintln(os.Stderr, "speed: pause:", why) },
		OnFetch: func(f *crawler.Fetch) { c.count(f, time.Since(began)) },
	})
	if err != nil {
		return nil, err
	}
	c.Stopped = result.StopReason
	for why, n := range result.Refused {
		c.Failed["refused: "+why] += n
	}
	watch.stop(c)
	if err := errors.Join(kept.Close(), st.Close()); err != nil {
		return nil, err
	}
	return c, nil
}

// profile writes a processor profile to a file, "" for none, until end is called.
func profile(name string) (end func(), err error) {
	if name == "" {
		return func() {}, nil
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close() // a profile that is cut short cannot be read
	}, nil
}

// warmUp is the start of a polite crawl, which does not count: it fetches robots.txt and fills the frontier.
const warmUp = 5 * time.Second

// count counts a fetch that ended so long after the start.
func (c *crawled) count(f *crawler.Fetch, after time.Duration) {
	if f.Response.Outcome != fetch.OK || f.Page == nil {
		c.Failed[string(f.Response.Outcome)]++
		return
	}
	c.Pages++
	c.Links += len(f.Page.Links)
	if after >= warmUp {
		c.InTime++
	}
}

func resolve(addrs map[string]string) (rules []fetch.Resolve) {
	for host, addr := range addrs {
		rules = append(rules, fetch.Resolve{Pattern: host, Addr: addr})
	}
	return rules
}

// sizeOf is the total size of a folder's files in bytes.
func sizeOf(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
