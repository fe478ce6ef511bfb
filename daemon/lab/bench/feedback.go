package bench

import (
	"fmt"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
)

// Feedback describes a person who labels Labels pages per Pages fetched pages. The zero Feedback means none.
type Feedback struct{ Labels, Pages int }

// ParseFeedback reads "N/M", N labels per M pages; "" means none.
func ParseFeedback(text string) (Feedback, error) {
	if text == "" {
		return Feedback{}, nil
	}
	n, m, ok := strings.Cut(text, "/")
	labels, err1 := strconv.Atoi(n)
	pages, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || labels < 1 || pages < 1 || labels > pages {
		return Feedback{}, fmt.Errorf("%q is not N/M, N labels per M fetched pages, such as 20/500", text)
	}
	return Feedback{labels, pages}, nil
}

func (f Feedback) String() string {
	if f.Labels == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", f.Labels, f.Pages)
}

// MarshalText writes f as in a suite's file.
func (f Feedback) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (f *Feedback) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFeedback(string(text))
	return err
}

// firstAsked is the number of pages before the first label.
const firstAsked = 100

// due is the number of labels that are due after n pages, without those before page firstAsked.
func (f Feedback) due(n int) int {
	if f.Labels == 0 || n < firstAsked {
		return 0
	}
	return n*f.Labels/f.Pages - (firstAsked-1)*f.Labels/f.Pages
}

// person answers a learner's questions correctly.
type person struct {
	feedback Feedback
	learner  strategy.Learner
	useful   map[string]bool // relevant pages, by final URL
	fetched  int             // pages of budget so far
	marks    int             // given so far
}

// answer returns the marks between two fetches. Labels that the learner does not ask for now stay due.
func (p *person) answer() []strategy.Mark {
	owed := p.feedback.due(p.fetched) - p.marks
	if owed <= 0 {
		return nil
	}
	var marks []strategy.Mark
	for _, url := range p.learner.Ask(owed) {
		marks = append(marks, strategy.Mark{URL: url, Useful: p.useful[url]})
	}
	p.marks += len(marks)
	return marks
}
