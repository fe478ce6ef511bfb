package wordnet

import (
	"context"
	"sync"
	"time"
)

// Download is how far a download in the background is.
type Download struct {
	Running bool
	Offer   Offer  // what is downloaded
	Done    int64  // bytes, of Offer.Size
	Problem string // why the last one failed, in a sentence; "" when none did
}

// background is the download that Start asks for and Run does.
type background struct {
	asked chan context.Context // a download that was asked for, until its context ends

	mu   sync.Mutex
	is   Download
	stop context.CancelFunc // of the one that was asked for
	told time.Time
}

// tellEvery is how often a download that runs is told at most.
const tellEvery = 250 * time.Millisecond

// Run does the downloads that Start asks for, one at a time, until ctx ends.
func (l *Library) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case one := <-l.background.asked:
			l.download(ctx, one)
		}
	}
}

// Start asks for a download in the background, which Run does; see Get. It is ErrBusy when there is one already.
func (l *Library) Start() error {
	b := &l.background
	b.mu.Lock()
	if b.is.Running {
		b.mu.Unlock()
		return ErrBusy
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.is, b.stop = Download{Running: true, Offer: l.offer}, cancel
	b.mu.Unlock()
	b.asked <- ctx // there is room: no other one runs
	l.changed()
	return nil
}

// Stop ends the download in the background, if there is one. What had come is thrown away.
func (l *Library) Stop() {
	b := &l.background
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stop != nil {
		b.stop()
	}
}

// download does one until either context ends, and keeps how it ended.
func (l *Library) download(ctx, one context.Context) {
	b := &l.background
	defer context.AfterFunc(ctx, l.Stop)()
	err := l.Get(one, func(done, _ int64) {
		b.mu.Lock()
		b.is.Done = done
		tell := time.Since(b.told) > tellEvery
		if tell {
			b.told = time.Now()
		}
		b.mu.Unlock()
		if tell {
			l.changed()
		}
	})
	b.mu.Lock()
	stopped := one.Err() != nil
	b.stop()
	b.stop, b.is = nil, Download{}
	if err != nil && !stopped {
		b.is.Problem = err.Error()
		l.log.Warn("WordNet was not downloaded", "error", err)
	}
	b.mu.Unlock()
	l.changed()
}

// Download is how far the download in the background is.
func (l *Library) Download() Download {
	l.background.mu.Lock()
	defer l.background.mu.Unlock()
	return l.background.is
}
