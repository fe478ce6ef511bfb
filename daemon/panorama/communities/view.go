package communities

import (
	"fmt"
	"time"

	"nightjar/crawler/texts"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/maps"
	"nightjar/model/cluster"
	"nightjar/model/community"
	"nightjar/model/label"
	"nightjar/model/layout"
)

// View is a finished map as people see it. The dashboard, the report and the JSON output are made from it.
type View struct {
	Map      maps.Map
	Document *maps.Document // nil unless the source is a document
	Topic    string         // name of the topic that crawled
	Crawl    crawls.Crawl
	Result
	Harvest []HarvestPoint // along the crawl; empty without a classifier

	Titles    []string                // of the document, as they were looked for
	Missing   []string                // titles that found no page; nil when the person named the pages
	Positives []trainingdata.Positive // of the document
	Provider  string                  // that answered: "local", "list", or the address of an instance; "" without a document
	Queries   []string                // as they were sent; none when nothing left this computer

	Earlier *maps.Map // the map that this one makes again, or nil
	Gone    []Page    // pages of the earlier map that this one lacks, at most 100
	GoneAll int       // number of all such pages
}

// Result is what is drawn of a map, as it is stored beside its pages; it is encoded as JSON. What the communities say of the earlier
// map, of probabilities and of marks is not stored: a View has it.
type Result struct {
	Made        time.Time   `json:"made"`
	Subject     string      `json:"subject"`     // what sets the pages apart from the person's others, such as "bird, beak, plumage"; "" when it is not known
	Communities []Community `json:"communities"` // the largest first
	Between     [][]float64 `json:"between"`     // cosines of the centres, K×K symmetric, in [0, 1]
	Counts      Counts      `json:"counts"`
	Few         bool        `json:"few"`        // fewer than 50 pages were kept, so that there are fewer communities than asked for
	Silhouette  float64     `json:"silhouette"` // in [-1, 1]; 0 with one community
	Objective   float64     `json:"objective"`  // of spherical k-means, in [0, Counts.Kept]
	Classified  bool        `json:"classified"` // there was a classifier
	Warnings    []string    `json:"warnings"`   // what the person should know of this map, in sentences
}

// Counts are the numbers of a map.
type Counts struct {
	Fetched   int `json:"fetched"`   // pages of the crawl's budget used
	Pages     int `json:"pages"`     // of them with text
	Kept      int `json:"kept"`      // without the worst quarter
	Wordless  int `json:"wordless"`  // kept, but without a word that groups pages
	Terms     int `json:"terms"`     // stems that tell pages apart
	Links     int `json:"links"`     // among the pages kept that count
	Positives int `json:"positives"` // pages that the classifier learned from
	Negatives int `json:"negatives"`

	AllLinks int            `json:"all_links"` // among the pages kept; 0 in maps of older versions
	LinkRule community.Rule `json:"link_rule"` // which links count; "" in maps of older versions
}

// ruleWords say which links count.
var ruleWords = map[community.Rule]string{
	community.BetweenSites: "those between sites", community.BetweenFolders: "those between folders", community.EveryLink: "each one",
}

// LinksCounted says which links count, "" when it is not known.
func (c Counts) LinksCounted() string {
	if c.LinkRule == "" {
		return ""
	}
	return fmt.Sprintf("of %s count: %s", texts.Count(c.AllLinks, "link", "links"), ruleWords[c.LinkRule])
}

// HarvestPoint is the harvest after so many pages: the mean of P(c⁺|p), [PANORAMA] eq. (4.7).
type HarvestPoint struct {
	Pages int     `json:"pages"`
	Rate  float64 `json:"rate"` // in [0, 1]
}

// Community is one group of pages.
type Community struct {
	N           int              `json:"n,omitempty"`       // its number, from 1
	Name        string           `json:"name,omitempty"`    // its labels in one line, never empty
	Labels      []label.Label    `json:"labels"`            // best first, at most 5
	Words       []cluster.Scored `json:"words"`             // of its profile, best first, at most 30
	Size        int              `json:"size"`              // pages
	New         int              `json:"new,omitempty"`     // pages that the earlier map lacks; 0 without one
	Harvest     float64          `json:"harvest,omitempty"` // mean P(c⁺|p) of its pages, in [0, 1]; 0 without a classifier
	Examples    []Page           `json:"examples"`          // most similar to the centre, best first, at most 10; Score is the cosine
	Hubs        []Page           `json:"hubs"`              // best first, at most 10; Score is in (0, 1]
	Authorities []Page           `json:"authorities"`
	Circle      layout.Circle    `json:"circle"` // on a map of 960 by 640
}

// Page is a page of a map.
type Page struct {
	Fetch   int64   `json:"fetch"` // store.Fetch
	URL     string  `json:"url"`
	Title   string  `json:"title"` // in a View its address when it has none
	Snippet string  `json:"snippet"`
	Score   float64 `json:"score"`          // see the list it is in
	P       float64 `json:"p,omitempty"`    // calibrated P(c⁺|p), in [0, 1]; 0 without a classifier
	New     bool    `json:"new,omitempty"`  // the earlier map lacks it; false without one
	Find    int64   `json:"find,omitempty"` // ID of the topic's find, 0 if it is not a find
	Mark    string  `json:"mark,omitempty"` // store.Mark of the find; "" without one
}
