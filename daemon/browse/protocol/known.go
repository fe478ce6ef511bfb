package protocol

import "encoding/json"

// MaxKnown is the largest number of addresses in one KnownRequest.
const MaxKnown = 200

// What the daemon knows of a link. Of several, the first of these counts.
const (
	KnownUseful    = "useful"     // a page or find marked Useful
	KnownNotUseful = "not-useful" // a find marked Not useful, or as one of another topic
	KnownVisited   = "visited"
	KnownFound     = "found" // a find that was neither marked nor visited
)

// KnownRequest asks what the daemon knows of the links of a page. The addresses are redacted; none of them is stored. A
// daemon answers it if its State says so.
type KnownRequest struct {
	Type string   `json:"type"`
	URLs []string `json:"urls"`
}

// Known answers a KnownRequest.
type Known struct {
	Type  string            `json:"type"`
	Known map[string]string `json:"known"` // by address as it was asked for; without those that the daemon does not know
}

// OpenKnown reads and checks a KnownRequest. The error is an *Invalid.
func OpenKnown(data []byte) ([]string, error) {
	var asked KnownRequest
	if err := json.Unmarshal(data, &asked); err != nil {
		return nil, invalid(BadJSON, "not a request about links: %v", err)
	}
	if len(asked.URLs) > MaxKnown {
		return nil, invalid(TooLarge, "too many links in one question: %d; the limit is %d", len(asked.URLs), MaxKnown)
	}
	for _, url := range asked.URLs {
		if len(url) > MaxURL {
			return nil, invalid(TooLarge, "a link has %d bytes; the limit is %d", len(url), MaxURL)
		}
	}
	return asked.URLs, nil
}
