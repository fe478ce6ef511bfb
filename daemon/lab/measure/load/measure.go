package load

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/store"
)

// Times of the run.
const (
	warmUp     = 10 * time.Second // before anything is measured: the crawl begins
	sampleEach = 2 * time.Second
	patience   = 3 * time.Minute // until the last event is acknowledged
	secondRate = 5               // events a second of the second browser
)

// lab is a run.
type lab struct {
	o      *options
	daemon *daemon
	reader *reader
	crawl  string // address of the crawl's page, "" for none

	steady, second, flooder *browser

	began, burst, ended         time.Time // of the steady load
	floodBegan, flooded, quiet  time.Time // of the flood: its first event, its last one sent, its last one acknowledged
	samples                     []sample
	crawled, crawledAfterwards  int
	failed                      []error
	mu                          sync.Mutex
	loadBefore, loadAfter, peak float64
	spent                       float64 // seconds of processor time in the steady load
}

// measure runs the daemon under load, and counts in its database what arrived.
func measure(ctx context.Context, o *options, work string, log io.Writer) (*result, error) {
	f, err := farm.Open(farmOptions())
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing is lost
	args := []string{"--allow-private", "127.0.0.0/8"}
	for _, r := range f.Resolve() {
		args = append(args, "--resolve", fmt.Sprintf("%s=%s", r.Pattern, r.Addr))
	}
	l := &lab{o: o, loadBefore: devtool.Load1(), steady: newBrowser(steady, "steady", 1), second: newBrowser(second, "second", 2), flooder: newBrowser(flooder, "flood", 3)}
	if l.daemon, err = start(ctx, work, log, args...); err != nil {
		return nil, err
	}
	err = l.play(ctx, f, log)
	l.peak = l.daemon.status("VmHWM")
	if err := errors.Join(err, l.daemon.stop()); err != nil {
		return nil, err
	}
	l.loadAfter = devtool.Load1()
	lost, err := l.lost(ctx, database(work))
	if err != nil {
		return nil, err
	}
	return l.result(lost), nil
}

// play puts the load on the daemon.
func (l *lab) play(ctx context.Context, f *farm.Farm, log io.Writer) error {
	visitor, err := devtool.Login(ctx, l.daemon.addr, l.daemon.login)
	if err != nil {
		return err
	}
	l.reader = &reader{visitor, map[string][]time.Duration{}}
	if l.o.Crawl {
		topic, err := topicID(ctx, database(l.daemon.data), f.Topic())
		if err != nil {
			return err
		}
		if l.crawl, err = l.reader.crawl(ctx, topic); err != nil {
			return err
		}
	}
	time.Sleep(warmUp)
	l.crawled = f.Stats().Pages
	load, stop := context.WithCancel(ctx)
	defer stop()
	var running sync.WaitGroup
	also := func(work func() error) {
		running.Go(func() {
			if err := work(); err != nil {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.failed = append(l.failed, err)
				stop()
			}
		})
	}
	length := time.Duration(l.o.Minutes * float64(time.Minute))
	l.began = time.Now()
	l.burst, l.ended = l.began.Add(length/2), l.began.Add(length)
	spent := l.daemon.spent()
	first, stopFirst := context.WithDeadline(load, l.ended)
	defer stopFirst()
	also(func() error { return l.sendFrom(first, l.steady, l.o.Rate, l.o.Burst) })
	also(func() error { return l.sampleAll(load) })
	also(func() error { return l.reader.read(load, l.pages) })
	also(func() error { return l.sendFrom(load, l.second, secondRate, 0) })
	select {
	case <-time.After(time.Until(l.ended)):
	case <-load.Done():
	}
	l.spent = l.daemon.spent() - spent
	fmt.Fprintln(log, "the steady load is over")
	if l.o.Flood > 0 && load.Err() == nil {
		if err := l.sendFlood(load); err != nil {
			return err
		}
	}
	stop()
	running.Wait()
	l.crawledAfterwards = f.Stats().Pages
	return errors.Join(l.failed...)
}

// sendFrom sends events from a browser until ctx ends, and waits until they are acknowledged.
func (l *lab) sendFrom(ctx context.Context, b *browser, rate, burst int) error {
	if err := b.connect(ctx, l.daemon.addr); err != nil {
		return err
	}
	defer func() { b.c.Close() }()
	if err := b.send(ctx, rate, burst, l.burst); err != nil {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	return b.settled(last)
}

func (l *lab) sendFlood(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	if err := l.flooder.connect(ctx, l.daemon.addr); err != nil {
		return err
	}
	defer func() { l.flooder.c.Close() }()
	l.floodBegan = time.Now()
	if err := l.flooder.flood(ctx, l.o.Flood); err != nil {
		return err
	}
	l.flooded = time.Now()
	err := l.flooder.settled(ctx)
	l.quiet = time.Now()
	return err
}

// pages are those that the reader looks at; the newest session is one of them.
func (l *lab) pages() []string {
	all := []string{"/", "/sessions", "/sessions/" + uuid(1, 0), "/search?q=words", "/crawls", l.crawl}
	if l.o.Stored == 0 {
		all[2] = "/"
	}
	if l.crawl == "" {
		all = all[:5]
	}
	return all
}

func (l *lab) sampleAll(ctx context.Context) error {
	for {
		s, err := l.daemon.sample(l.began)
		if err != nil {
			return err
		}
		l.samples = append(l.samples, s)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(sampleEach):
		}
	}
}

// topicID reads the id of a topic.
func topicID(ctx context.Context, name, topic string) (id int64, err error) {
	db, err := sql.Open("sqlite", store.FileURL(name)+"?mode=ro")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return id, db.QueryRowContext(ctx, "SELECT id FROM topics WHERE name = ?", topic).Scan(&id)
}

// lost counts the events that were acknowledged or sent, and are not in the database.
func (l *lab) lost(ctx context.Context, name string) (lost int, err error) {
	db, err := sql.Open("sqlite", store.FileURL(name)+"?mode=ro")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, b := range l.browsers() {
		for _, id := range b.sent {
			var n int
			if err := db.QueryRowContext(ctx, "SELECT count(*) FROM events WHERE id = ?", id).Scan(&n); err != nil {
				return 0, err
			}
			if n != 1 {
				lost++
			}
		}
	}
	return lost, nil
}

func (l *lab) browsers() []*browser { return []*browser{l.steady, l.second, l.flooder} }
