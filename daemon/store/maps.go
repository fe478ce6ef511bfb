package store

import "time"

// Map is a map of communities, or one in the making.
type Map struct {
	ID       int64
	Source   MapSource
	Title    string
	Document int64 // 0 unless the source is a document
	Topic    int64 // 0 until a document has its topic
	Crawl    int64 // whose pages are shown; 0 until there is one
	Earlier  int64 // the map that this one makes again; 0 for a first map
	Options  MapOptions

	Step    MapStep
	State   MapState
	Problem string // why it failed or waits, in words; "" otherwise

	CreatedAt time.Time
	EndedAt   time.Time // zero until it is done or failed
}

// MapSource is what a map is made from.
type MapSource string

// The sources.
const (
	MapOfDocument MapSource = "document"
	MapOfTopic    MapSource = "topic"
	MapOfCrawl    MapSource = "crawl"
)

// MapStep is a step in the making of a map. A map of a topic begins with MapTraining, that of a crawl with MapDrawing.
type MapStep string

// The steps, in order.
const (
	MapTitles   MapStep = "titles"   // titles out of the document
	MapPages    MapStep = "pages"    // positive pages found and fetched
	MapTraining MapStep = "training" // the classifier
	MapCrawl    MapStep = "crawl"    // pages around the positive ones
	MapDrawing  MapStep = "map"      // communities
)

// MapState is the state of a map's step.
type MapState string

// The states.
const (
	MapWaits  MapState = "waiting" // for the person, who looks at the last step before the next begins
	MapWorks  MapState = "working" // also while the daemon is off: it then goes on at its next start
	MapFailed MapState = "failed"
	MapDone   MapState = "done"
)

// MapOptions are what the person asked for.
type MapOptions struct {
	Search   string   `json:"search,omitempty"`   // "local" or "", "searxng=URL", or "list"
	List     []string `json:"list,omitempty"`     // addresses of a list
	Pages    int      `json:"pages,omitempty"`    // budget of the crawl; 0 means 5,000
	Clusters int      `json:"clusters,omitempty"` // 0 means 5
	Auto     bool     `json:"auto,omitempty"`     // two to eight clusters
	Paper    bool     `json:"paper,omitempty"`    // as [PANORAMA] has it
	Words    bool     `json:"words,omitempty"`    // labels are the paper's five words
	Strategy string   `json:"strategy,omitempty"` // of the crawl; "" means naive-bayes, or with Paper naive-bayes-paper
	Seed     uint64   `json:"seed,omitempty"`
	Night    bool     `json:"night,omitempty"` // crawl in the window only, over as many nights as it takes
	Hold     bool     `json:"hold,omitempty"`  // wait for the person after each step
}
