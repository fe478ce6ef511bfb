package farm

import (
	"time"

	"nightjar/crawler/clock"
)

// Sizes that are used unless Options say otherwise.
const (
	defaultHosts = 200
	defaultPages = 4000
)

// MaxHosts is how many hosts a farm can have.
const MaxHosts = 60_000

// Options say what is served. The same options serve the same bytes.
type Options struct {
	Hosts int    // 0 means 200; there are never more than pages
	Pages int    // of all hosts together, 0 means 4,000, or all of the recordings, whose front pages come on top
	Seed  uint64 // of what is made up
	// Recordings are WARC files whose pages are served, at most as many as they hold; without any, pages are made up.
	Recordings []string
	// Delay is what a crawler is to keep between two requests to a host: Stats counts shorter gaps. It slows nothing.
	Delay  time.Duration
	Faults Faults
	// Clock is what delays, gaps and Retry-After are told by; nil means the machine's.
	Clock clock.Clock `json:"-"`
	// OnRequest is called when a request has been answered, concurrently; nil means nobody listens.
	OnRequest func(Request) `json:"-"`
}

// Faults say how badly the hosts behave. The zero value is a farm without faults. Shares are in [0, 1]; which hosts and
// which requests they fall on is drawn from the seed.
type Faults struct {
	Latency    time.Duration // mean time until an answer begins, exponentially distributed, at most ten times that
	Slow       float64       // share of hosts with ten times the latency
	Errors     float64       // share of hosts that answer 500 or 503 in bursts of one to six requests
	Limits     float64       // share of hosts that now and then answer 429 with Retry-After until that time is over
	RetryAfter time.Duration // for Limits, in whole seconds; 0 means 30 s
	Resets     float64       // share of requests whose connection is reset, one half of them in mid-answer
	Dead       float64       // share of hosts that reset every connection
}

// Request is what the farm saw of one request.
type Request struct {
	Host   string
	Path   string    // with query
	At     time.Time // when it came
	Status int       // 0 when the connection was reset
	Bytes  int64     // of the body
	Sooner bool      // it came less than Options.Delay after the one before
	Early  bool      // it came before a Retry-After was over
}

// Stats are counts since Open or Reset.
type Stats struct {
	Requests, Pages, Robots   int   // all; answered 200 with a page; for robots.txt
	Resets, Errors, Limits    int   // connections reset; answers 5xx; answers 429
	NotFound, NotModified     int   // answers 404; answers 304
	Bytes                     int64 // of bodies
	Sooner, Overlapped, Early int   // breaches: of the delay, of one at a time, of Retry-After
	MinGap                    time.Duration
	Hosts                     int // that were asked anything
	Last                      time.Time
}
