// Package notice tells the person that a night or a crawl brought new finds: by a notice on the desktop, by mail, or not at
// all, which is the default.
//
// Runner.Run watches for crawls that end and sends what Config asks for. Notices hold numbers and the names of topics, no
// titles or addresses of pages: a mail leaves the machine. Desktop starts the notifier of the operating system, never
// through a shell; Mail sends by SMTP. The store keeps the configuration, and the password apart from it.
package notice

import (
	"fmt"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/morning/finds"
)

// Text is what a notice says.
type Text struct {
	Title string // "7 new finds"
	Body  string // one line: "Harbours: 5, Tides: 2"
}

// maxTopics bounds the topics that a notice names.
const maxTopics = 5

// Of words a notice about new finds by topic.
func Of(counts []finds.TopicCount) Text {
	total, parts := 0, []string{}
	for i, c := range counts {
		total += c.Finds
		if i < maxTopics {
			parts = append(parts, fmt.Sprintf("%s: %d", oneLine(c.Topic), c.Finds))
		}
	}
	if more := len(counts) - maxTopics; more > 0 {
		parts = append(parts, "and "+texts.Plural(more, "more topic"))
	}
	return Text{texts.Plural(total, "new find"), strings.Join(parts, ", ")}
}

// oneLine returns a name without line ends and control characters.
func oneLine(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' }), " ")
}

// Failure is a notice that could not be sent. Both texts are for the person.
type Failure struct {
	Problem string // what failed
	Fix     string // the next step
}

func (f *Failure) Error() string { return f.Problem + "; " + f.Fix }
