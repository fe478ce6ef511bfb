package store

import "time"

// Grouping is pages grouped by what links say about them, or such groups in the making ([THESUS] §5.4).
type Grouping struct {
	ID       int64
	Scope    GroupingScope
	ScopeID  int64 // of the topic, crawl or session; 0 for AllPages
	Ontology int64 // whose terms describe the pages; 0 if senses of words or words do
	Options  GroupingOptions

	State   GroupingState
	Problem string // why it failed, in words; "" otherwise
	Stale   string // why its result is out of date, in words; "" if it is not

	CreatedAt time.Time
	EndedAt   time.Time // zero until it is done or failed
}

// GroupingScope says which pages are grouped.
type GroupingScope string

// The scopes.
const (
	AllPages       GroupingScope = "all"
	PagesOfTopic   GroupingScope = "topic"   // visited or crawled for it
	PagesOfCrawl   GroupingScope = "crawl"   // fetched by it
	PagesOfSession GroupingScope = "session" // visited in it
)

// GroupingState is the state of a grouping.
type GroupingState string

// The states.
const (
	GroupingWorks  GroupingState = "working" // also while the daemon is off: it then begins again at its next start
	GroupingFailed GroupingState = "failed"
	GroupingDone   GroupingState = "done"
)

// GroupingOptions are what the person asked for. Zero values are the defaults.
type GroupingOptions struct {
	Words         int     `json:"words,omitempty"`          // words of a page that take part; 0 means 8
	MinSimilarity float64 `json:"min_similarity,omitempty"` // of a word and its term; 0 means .7
	MinDocs       int     `json:"min_docs,omitempty"`       // similar pages that make a page a core; 0 means 3
	BySite        bool    `json:"by_site,omitempty"`        // words are counted by linking sites, not by linking pages
	Cobweb        bool    `json:"cobweb,omitempty"`         // groups by COBWEB in the place of DBSCAN
	Seed          uint64  `json:"seed,omitempty"`
}
