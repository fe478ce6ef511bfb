package broker

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// logger writes what the embedded server says into the daemon's log. It says much at its start and of each connection; that is
// for debugging.
type logger struct {
	log      *quiet
	starting atomic.Bool            // it warns of how it was set up
	fatal    atomic.Pointer[string] // why it does not start
}

func (l *logger) Noticef(format string, v ...any) { l.Debugf(format, v...) }
func (l *logger) Tracef(format string, v ...any)  { l.Debugf(format, v...) }
func (l *logger) Errorf(format string, v ...any)  { l.Warnf(format, v...) }
func (l *logger) Debugf(format string, v ...any) {
	l.log.log.Debug("broker: " + fmt.Sprintf(format, v...))
}
func (l *logger) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.fatal.Store(&text)
	l.log.log.Error("broker: " + text)
}

func (l *logger) Warnf(format string, v ...any) {
	if l.starting.Load() {
		l.Debugf(format, v...)
		return
	}
	l.log.warn("broker: " + fmt.Sprintf(format, v...))
}

// quiet is a log in which strangers cannot write more than a few lines: what a stranger does can cause a warning each time.
type quiet struct {
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex
	lines   *rate.Limiter
	skipped int
}

// Limits of warnings.
const (
	linesAtOnce = 20
	lineEvery   = 10 * time.Second
)

func newQuiet(log *slog.Logger, now func() time.Time) *quiet {
	return &quiet{log: log, now: now, lines: rate.NewLimiter(rate.Every(lineEvery), linesAtOnce)}
}

func (q *quiet) warn(text string, args ...any) {
	q.mu.Lock()
	if !q.lines.AllowN(q.now(), 1) {
		q.skipped++
		q.mu.Unlock()
		return
	}
	if q.skipped > 0 {
		args = append(args, "warnings left out before", q.skipped)
		q.skipped = 0
	}
	q.mu.Unlock()
	q.log.Warn(text, args...)
}
