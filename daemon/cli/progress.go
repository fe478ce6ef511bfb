package cli

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows the progress of long work: a bar on a terminal, elsewhere a log line for each tenth.
type progress struct {
	bar   *progressbar.ProgressBar
	log   *slog.Logger
	what  string
	total int
	told  int // tenths logged so far
}

// newProgress starts to show work with a total number of steps; 0 means that the number is not known.
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

// set reports that n steps are done; attributes are added to the log line.
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

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal reports whether the file is a terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
