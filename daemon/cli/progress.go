package cli

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far long work is: a bar on a terminal, a log line each tenth elsewhere.
type progress struct {
	bar   *progressbar.ProgressBar
	log   *slog.Logger
	what  string
	total int
	told  int // tenths logged so far
}

// newProgress begins to show work of total steps; 0 means that nobody knows how many.
func newProgress(w io.Writer, what string, total int) *progress {
	p := &progress{what: what, total: total}
	if f, ok := w.(*os.File); !ok || !isTerminal(f) {
		p.log = slog.New(slog.NewTextHandler(w, nil))
		return p
	}
	length := total
	if total == 0 {
		length = -1
	}
	p.bar = progressbar.NewOptions(length, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return p
}

// set tells that n steps are done; attributes go to the log line.
func (p *progress) set(n int, attributes ...any) {
	if p.bar != nil {
		_ = p.bar.Set(n) // an error is one of drawing
		return
	}
	step := 1000
	if p.total > 0 {
		step = max(1, p.total/10)
	}
	if n/step > p.told {
		p.told = n / step
		p.log.Info(p.what, append([]any{"done", n, "of", p.total}, attributes...)...)
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal reports whether a person looks at the file.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
