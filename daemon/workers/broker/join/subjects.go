package join

import (
	"strings"
)

// The stream of results, and the daemon's consumer of it.
const (
	Stream   = "NJ_RESULTS"
	Consumer = "commit"
)

// MaxResult is the size of a result, in bytes.
const MaxResult = 8 << 20

// Kind is a kind of message of one worker; Of makes it a subject.
type Kind string

// The kinds. Workers send all but Ctl.
const (
	Hello  Kind = "nj.hello"
	Next   Kind = "nj.next"
	Result Kind = "nj.result"
	Beat   Kind = "nj.beat"
	Ctl    Kind = "nj.ctl"
)

// Of returns the subject of one worker, or of all with "*".
func (k Kind) Of(worker string) string { return string(k) + "." + worker }

// Worker returns the worker with this subject of this kind, "" for another subject.
func (k Kind) Worker(subject string) string {
	name, found := strings.CutPrefix(subject, string(k)+".")
	if !found {
		return ""
	}
	return name
}

// Inbox returns the prefix of the subjects that answers to a worker are sent to.
func Inbox(worker string) string { return "_INBOX_" + worker }

// Answers reports whether subject is one that answers to the worker may be sent to. A worker can name any subject for that.
func Answers(worker, subject string) bool { return strings.HasPrefix(subject, Inbox(worker)+".") }
