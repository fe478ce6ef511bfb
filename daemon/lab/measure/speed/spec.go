package speed

import "nightjar/daemon/lab/farm"

// The contenders.
const (
	pipeline = "nightjar"
	colly    = "colly"
	bare     = "bare"
)

var contenders = []string{pipeline, colly, bare}

// crawlSpec tells a contender what to crawl.
type crawlSpec struct {
	Addrs   map[string]string `json:"addrs"` // by host
	Starts  []string          `json:"starts"`
	Pages   int               `json:"pages"` // to fetch
	Workers int               `json:"workers"`
	Millis  int64             `json:"delay_ms"` // between two requests to a host
	Window  int64             `json:"window_ms"`
	NoTrap  bool              `json:"no_trap"` // without the trap guard
	Dir     string            `json:"dir"`     // for database and archive
	Bundle  string            `json:"bundle"`  // file
	Profile string            `json:"profile"` // file for the processor profile of the pipeline, "" for none
}

// crawled is what a contender reports of its crawl.
type crawled struct {
	Pages   int     `json:"pages"` // answered with HTML
	Links   int     `json:"links"` // distinct ones of each page, summed
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	Peak    int64   `json:"peak_bytes"`

	Failed  map[string]int `json:"failed,omitempty"`  // fetches without a page, by outcome
	Kept    int64          `json:"kept_bytes"`        // written to disk
	InTime  int            `json:"in_time,omitempty"` // pages fetched after warmUp
	Stopped string         `json:"stopped,omitempty"` // stop reason
}

// serveSpec says what to serve.
type serveSpec struct {
	Options farm.Options `json:"options"`
}

// served describes a running server.
type served struct {
	Addrs  map[string]string `json:"addrs"`
	Starts []string          `json:"starts"`
	Pages  int               `json:"pages"`
	Bytes  int64             `json:"bytes"` // HTML of all pages
	Topic  string            `json:"topic"`
	Stats  string            `json:"stats"` // address that returns farm.Stats; a POST resets the counts first
}
