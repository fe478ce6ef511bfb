package trainingset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"nightjar/daemon/morning/search/words"
)

// Limits of a list.
const (
	maxList      = 1000    // addresses
	maxListBytes = 1 << 20 // bytes
)

// List has addresses that the person gave. It sends nothing.
type List struct{ entries []listed }

type listed struct {
	hit   Hit
	about string // the words of the titles that it belongs to; "" for all
}

// LineError says which line of a list is no address of a page.
type LineError struct {
	Line int // from 1
	Text string
}

// Error says which line is wrong, and how it should be.
func (e LineError) Error() string {
	return fmt.Sprintf("line %d: %q is not the address of a web page; write one a line, such as https://example.org/page", e.Line, e.Text)
}

// ReadList reads addresses, one a line. A title may follow an address after a space; then the page belongs to this title
// of the document. Empty lines and lines that begin with # are passed over. Lines that are no address are returned, and
// the rest is read. The error is one of reading, or says that there is no address, or that there is too much.
func ReadList(r io.Reader) (List, []LineError, error) {
	var l List
	var bad []LineError
	known := map[string]bool{}
	limited := &io.LimitedReader{R: r, N: maxListBytes + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxListBytes+2)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		address, title, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		url, ok := webPage(address)
		switch {
		case !ok:
			bad = append(bad, LineError{n, clean(line, 100)})
		case !known[url+" "+words.Join(title)]:
			known[url+" "+words.Join(title)] = true
			l.entries = append(l.entries, listed{Hit{URL: url, Stage: StageList}, words.Join(title)})
		}
	}
	switch {
	case lines.Err() != nil:
		return List{}, bad, fmt.Errorf("read the list of addresses: %w", lines.Err())
	case limited.N <= 0 || len(l.entries) > maxList:
		return List{}, bad, fmt.Errorf("the list is too long: at most %d addresses and 1 MiB; leave some out", maxList)
	case len(l.entries) == 0:
		return List{}, bad, errors.New("the list has no addresses of web pages; write one a line, such as https://example.org/page")
	}
	return l, bad, nil
}

// Search is that of Provider: the addresses that stand with the phrase as their title. The phrase "" finds those that
// stand without a title, however many n says.
func (l List) Search(_ context.Context, phrase string, n int) ([]Hit, error) {
	about := words.Join(phrase)
	var hits []Hit
	for _, e := range l.entries {
		if e.about == about && (about == "" || len(hits) < n) {
			hits = append(hits, e.hit)
		}
	}
	return hits, nil
}
