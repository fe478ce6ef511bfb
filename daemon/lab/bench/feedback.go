package bench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
)

// Feedback is a person who marks Labels pages for every Pages pages fetched. The zero Feedback marks none.
type Feedback struct{ Labels, Pages int }

// ParseFeedback reads "N/M", N labels for every M pages; "" is none.
func ParseFeedback(text string) (Feedback, error) {
	if text == "" {
		return Feedback{}, nil
	}
	n, m, ok := strings.Cut(text, "/")
	labels, err1 := strconv.Atoi(n)
	pages, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || labels < 1 || pages < 1 || labels > pages {
		return Feedback{}, fmt.Errorf("%q is not N/M, N labels for every M pages fetched, such as 20/500", text)
	}
	return Feedback{labels, pages}, nil
}

func (f Feedback) String() string {
	if f.Labels == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", f.Labels, f.Pages)
}

// MarshalJSON writes the text form.
func (f Feedback) MarshalJSON() ([]byte, error) { return json.Marshal(f.String()) }

// UnmarshalJSON reads the text form.
func (f *Feedback) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	read, err := ParseFeedback(s)
	*f = read
	return err
}

// firstAsked is the page from which on the person is asked.
const firstAsked = 100

// due is how many labels are to be asked for by the time that n pages were fetched: pro rata, those that would fall due
// before page 100 left out.
func (f Feedback) due(n int) int {
	if f.Labels == 0 || n < firstAsked {
		return 0
	}
	return n*f.Labels/f.Pages - (firstAsked-1)*f.Labels/f.Pages
}

// person answers a learner's questions truly.
type person struct {
	feedback Feedback
	learner  strategy.Learner
	useful   map[string]bool // pages with the label, by final URL
	fetched  int             // pages of budget so far
	marks    int             // given so far
}

// answer is what the learner is told between two fetches. What it had nothing to ask for yet it may ask for later.
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
