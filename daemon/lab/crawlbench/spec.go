package main

import "nightjar/daemon/lab/farm"

// The contenders.
const (
	pipeline = "nightjar"
	colly    = "colly"
	bare     = "bare"
)

var contenders = []string{pipeline, colly, bare}

// crawlSpec says what a contender is to do.
type crawlSpec struct {
	Addrs   map[string]string `json:"addrs"` // of the hosts
	Starts  []string          `json:"starts"`
	Pages   int               `json:"pages"` // to fetch
	Workers int               `json:"workers"`
	Millis  int64             `json:"delay_ms"` // between two requests to a host
	Window  int64             `json:"window_ms"`
	NoTrap  bool              `json:"no_trap"` // without the guard against traps
	Dir     string            `json:"dir"`     // to keep things in
	Bundle  string            `json:"bundle"`  // file
	Profile string            `json:"profile"` // path that profiles are written beside, "" for none
}

// crawled is what a contender says of its crawl.
type crawled struct {
	Pages   int     `json:"pages"` // answered with HTML
	Links   int     `json:"links"` // distinct ones of each page, summed up
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	Peak    int64   `json:"peak_bytes"`

	Failed  map[string]int `json:"failed,omitempty"`  // fetches without a page, by outcome
	Kept    int64          `json:"kept_bytes"`        // written to disk
	InTime  int            `json:"in_time,omitempty"` // pages fetched within the window
	Stopped string         `json:"stopped,omitempty"` // why it ended
}

// serveSpec says what is served.
type serveSpec struct {
	Options farm.Options `json:"options"`
}

// served is what the server says of itself.
type served struct {
	Addrs  map[string]string `json:"addrs"`
	Starts []string          `json:"starts"`
	Pages  int               `json:"pages"`
	Bytes  int64             `json:"bytes"` // of HTML, all pages
	Topic  string            `json:"topic"`
	Stats  string            `json:"stats"` // address that answers farm.Stats; a POST begins the counts anew
}
