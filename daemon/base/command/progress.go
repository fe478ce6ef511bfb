package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// pace is the least time between two lines of progress, so that quick work does not fill a log.
const pace = time.Second

// Progress shows the progress of long work: a bar on a terminal, elsewhere a line now and then and one at the end.
type Progress struct {
	bar   *progressbar.ProgressBar
	w     io.Writer
	what  string
	total int
	told  time.Time // when the last line was written
}

// NewProgress starts to show work with a total number of steps; 0 means that the number is not known.
func NewProgress(w io.Writer, what string, total int) *Progress {
	p := &Progress{w: w, what: what, total: total, told: time.Now()}
	if f, ok := w.(*os.File); !ok || !IsTerminal(f) {
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

// Set reports that n steps are done. More says in words what else is known; a bar has no room for it.
func (p *Progress) Set(n int, more ...string) {
	if p.bar != nil {
		_ = p.bar.Set(n) // an error is one of drawing
		return
	}
	if now := time.Now(); n == p.total || now.Sub(p.told) >= pace {
		p.told = now
		fmt.Fprintln(p.w, p.line(n, more))
	}
}

// line says how far the work is.
func (p *Progress) line(n int, more []string) string {
	text := fmt.Sprintf("%s: %d", p.what, n)
	if p.total > 0 {
		text += fmt.Sprintf(" of %d", p.total)
	}
	return strings.Join(append([]string{text}, more...), ", ")
}

// Say names the part of the work that begins: beside the bar, elsewhere in a line of its own.
func (p *Progress) Say(part string) {
	if p.bar != nil {
		p.bar.Describe(p.what + ": " + part)
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", p.what, part)
}

// End removes the bar.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
