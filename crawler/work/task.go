package work

import (
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
)

// Task is one page to fetch.
type Task struct {
	ID      string `json:"task"`    // random, of its dispatcher
	Attempt int    `json:"attempt"` // 1, 2, …
	URL     string `json:"url"`     // canonical

	// Validators of the stored copy, "" without one. After an answer "not modified", the dispatcher's side has the body.
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`

	StartWithin  time.Duration `json:"start_within,omitempty"`  // how long after it was asked for it may start
	FetchTimeout time.Duration `json:"fetch_timeout,omitempty"` // how long it may take from its start, 0 for as long as the fetcher allows
	Delay        time.Duration `json:"delay,omitempty"`         // between two requests to the host, without what robots.txt asks for
	Keep         bool          `json:"keep,omitempty"`          // the archive wants the headers and bodies of the exchanges
	Probe        bool          `json:"probe,omitempty"`         // the host may be asked for a page that cannot exist
	Unread       bool          `json:"unread,omitempty"`        // earlier attempts to parse the page may have ended their workers: it is read apart, or not at all
	Host         HostFacts     `json:"host"`                    // what is known of the host, so that the host is not asked again
}

// HostFacts is what fetches learned of one host. In a Task it is what is known, in a Result what is new. It holds ages instead of
// times, since the clocks of two machines differ.
type HostFacts struct {
	Robots  []Robots `json:"robots,omitempty"`  // of the host's origins
	Probed  bool     `json:"probed,omitempty"`  // a page that cannot exist was asked for
	Missing []byte   `json:"missing,omitempty"` // the page that the host showed for it, nil for none

	// Rest is how long the host must be left alone from now on. In a Task only Busy and Failed count.
	Rest   time.Duration `json:"rest,omitempty"`
	Why    fetch.Rest    `json:"why,omitempty"`
	Busy   int           `json:"busy,omitempty"`   // answers in a row that said it was too busy
	Failed int           `json:"failed,omitempty"` // requests in a row without answer, or with a server error
}

// Robots is the robots.txt of one origin.
type Robots struct {
	Origin  string        `json:"origin"`
	Age     time.Duration `json:"age,omitempty"`  // since it was read
	Keep    time.Duration `json:"keep"`           // how long it holds
	Body    []byte        `json:"body,omitempty"` // empty if the origin has none
	Outcome fetch.Outcome `json:"outcome,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	Delay   time.Duration `json:"delay,omitempty"` // Crawl-delay, 0 for none
}

// RobotsOf describes a file at a time of the clock by which it was read.
func RobotsOf(f fetch.RobotsFile, now time.Time) Robots {
	return Robots{Origin: f.Origin, Age: max(now.Sub(f.Read), 0), Keep: f.Keep, Body: f.Body, Outcome: f.Outcome, Reason: f.Reason, Delay: f.Delay}
}

// File is the file as if it had been read at now, less its age.
func (r Robots) File(now time.Time) fetch.RobotsFile {
	return fetch.RobotsFile{Origin: r.Origin, Read: now.Add(-r.Age), Keep: r.Keep, Body: r.Body, Outcome: r.Outcome, Reason: r.Reason, Delay: r.Delay}
}

// Result is what came of a task.
type Result struct {
	// Task is the ID of the stored task that a crawl has used up once it has processed the result. "" if there is none: the
	// dispatcher stores no tasks, or the task was canceled and goes on without the crawl.
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
	URL     string `json:"url"`    // of the task
	Worker  string `json:"worker"` // name, "" for this process
	Parser  int    `json:"parser"` // page.Version of the worker

	Began time.Time `json:"began"` // by the clock of the hands; zero when the task was not begun
	Ended time.Time `json:"ended"`

	// Response has all exchanges. With Response.Moved, a redirect to another host was not followed; with Response.RobotsAt, the
	// page was not requested since its robots.txt is on another host. After an answer "not modified", the body is empty until
	// Fill. With the outcome fetch.OK and no Page, whoever wants the page parses the body.
	Response fetch.Response  `json:"response"`
	Page     *page.Page      `json:"page,omitempty"`   // nil when the answer is no readable page, or is not parsed yet
	Sketch   *neardup.Sketch `json:"sketch,omitempty"` // of the page's text, nil if none was wanted
	Host     HostFacts       `json:"host"`
	Problem  string          `json:"problem,omitempty"` // what went wrong at the worker, in words; the response then says how the task ended
}

// Canceled is the result of a task whose context ended before its page was requested.
func Canceled(t *Task) Result {
	return Result{URL: t.URL, Response: fetch.Response{
		URL: t.URL, FinalURL: t.URL, Outcome: fetch.Canceled, Reason: "the crawl was stopped",
	}}
}

// Shift moves the times of a result from the clock of the hands to another one, by which the task ended at end.
func (r *Result) Shift(end time.Time) {
	if r.Ended.IsZero() {
		return
	}
	by := end.Sub(r.Ended)
	r.Began, r.Ended = r.Began.Add(by), end
	for i := range r.Response.Exchanges {
		x := &r.Response.Exchanges[i]
		x.At = x.At.Add(by)
	}
}

// Fill takes the body of a page that was not modified from the stored copy. Without one, the task counts as canceled, so that the
// page is requested again.
func (r *Result) Fill(body []byte) {
	switch res := &r.Response; {
	case !res.NotModified || res.Outcome != fetch.OK:
	case body == nil:
		res.Outcome, res.Reason, res.NotModified = fetch.Canceled, "the stored copy is gone", false
	default:
		res.Body = body
	}
}
