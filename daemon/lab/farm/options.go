package farm

import (
	"time"

	"nightjar/crawler/clock"
)

// Default sizes.
const (
	defaultHosts = 200
	defaultPages = 4000
)

// MaxHosts is the maximum number of hosts.
const MaxHosts = 60_000

// Options say what to serve. The same options give the same pages.
type Options struct {
	Hosts int    // 0 means 200; at most one per page
	Pages int    // of all hosts; 0 means 4,000, or all pages of the recordings; the front pages of recorded hosts are extra
	Seed  uint64 // of made-up pages
	// Recordings are WARC files with the pages to serve; without any, pages are made up.
	Recordings []string
	// Delay is the expected delay between two requests to a host. Stats counts shorter gaps; the farm enforces nothing.
	Delay  time.Duration
	Faults Faults
	// Clock measures delays, gaps and Retry-After; nil means the machine's.
	Clock clock.Clock `json:"-"`
	// OnRequest, unless nil, is called after each request, concurrently.
	OnRequest func(Request) `json:"-"`
}

// Faults say how hosts misbehave; the zero value means not at all. Shares are in [0, 1]; the hosts and requests concerned
// are drawn from the seed.
type Faults struct {
	Latency    time.Duration // mean time until a response starts, exponentially distributed and cut at ten times the mean
	Slow       float64       // share of hosts with ten times the latency
	Errors     float64       // share of hosts that answer 500 or 503 in bursts of one to six requests
	Limits     float64       // share of hosts that sometimes answer 429 with Retry-After until that time has ended
	RetryAfter time.Duration // for Limits, in whole seconds; 0 means 30 s
	Resets     float64       // share of requests whose connection is reset, half of them during the response
	Dead       float64       // share of hosts that reset every connection
}

// Request is a request as the farm saw it.
type Request struct {
	Host   string
	Path   string    // with query
	At     time.Time // when it came
	Status int       // 0 when the connection was reset
	Sooner bool      // earlier than Options.Delay after the previous request
	Early  bool      // before a Retry-After had ended
}

// Stats are counts since Open or Reset.
type Stats struct {
	Requests, Pages, Robots   int // all; answered 200 with a page; for robots.txt
	Resets, Limits, NotFound  int // connections reset; answers 429; answers 404
	Sooner, Overlapped, Early int // breaches: of the delay, of one at a time, of Retry-After
	Hosts                     int // with requests
	MinGap                    time.Duration
}
