package api

import (
	"errors"
	"time"
)

// States of a Task besides those of an order.
const (
	TaskRunning = "running"
	TaskDone    = "done"
)

// ErrNoTask says that a program asked for no such search.
var ErrNoTask = errors.New("this program asked for no search with this number, or it was forgotten")

// Task is a search that a program asked for.
type Task struct {
	ID        int64     `json:"task"`
	State     string    `json:"state"` // waiting (for the person's yes), running, done, declined, withdrawn or failed
	Says      string    `json:"says"`  // the state in words
	Topic     string    `json:"topic"`
	TopicID   int64     `json:"topic_id"`
	Pages     int       `json:"pages"` // at most
	CrawlID   int64     `json:"crawl_id,omitempty"`
	Fetched   int       `json:"fetched"` // pages so far
	Found     int       `json:"found"`   // finds so far
	Finds     []Find    `json:"finds"`   // the newest 200 of them
	AskedAt   time.Time `json:"asked_at"`
	ChangedAt time.Time `json:"changed_at"`
}

// Open reports whether the search may still change.
func (t Task) Open() bool { return t.State == "waiting" || t.State == TaskRunning }

// Bad reports whether the search did not run.
func (t Task) Bad() bool { return !t.Open() && t.State != TaskDone }

// Marked says what became of a mark that a program gave.
type Marked struct {
	Find int64  `json:"find"`
	Says string `json:"says"`
}
