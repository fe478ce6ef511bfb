package explore

// Mode says what concepts describe pages.
type Mode string

// The modes. A grouping with an ontology has Terms; one without it has Senses where WordNet is there, otherwise Words.
const (
	Terms  Mode = "terms"  // of the ontology
	Senses Mode = "senses" // of words, in WordNet
	Words  Mode = "words"  // as they are, only the same words are alike
)

// View is a finished grouping as it is shown. Its lists are never nil.
type View struct {
	Grouping Grouping
	Title    string // of the scope: "Everything", the topic's name, "Crawl 12", the session's title
	Ontology string // its name, "" without one
	Mode     Mode
	Levels   []Level  // falling MinSim; falling Depth for COBWEB, at most MaxDepth
	Default  int      // place in Levels of the one to show first
	Pages    []Page   // those with a concept, then those without
	Few      int      // pages of the scope that were left out since fewer than two pages link to them
	Warnings []string // what the person should know of this grouping, in words
}

// Level is the groups at one similarity, or at one depth of COBWEB's tree.
type Level struct {
	MinSim   float64   // 0 for COBWEB
	Depth    int       // steps below the root; 0 for DBSCAN
	Clusters []Cluster // the largest first
	Grouped  int       // pages in clusters
	Apart    []int     // pages in no cluster, places in View.Pages
}

// Cluster is a group of pages described in similar words.
type Cluster struct {
	Label  string   // such as "instrument: guitar, violin, flute"
	Terms  []string // keys of the terms, or names of the senses, or words, of Label; the most telling first
	Pages  []int    // places in View.Pages, those most similar to the label first
	Parent int      // place of the cluster of the next level that holds its cores, or all its pages for COBWEB; -1 at the last level
}

// Page is a page of a grouping.
type Page struct {
	ID       int64 // in store.LinkPage
	URL      string
	Title    string // its address when none is known
	Sources  int    // pages that link to it
	Concepts []Weighted
}

// Weighted is a concept that describes a page.
type Weighted struct {
	Key    string  `json:"key"`    // of the term; name of the sense; word
	Name   string  `json:"name"`   // as it is shown
	Weight float64 `json:"weight"` // in (0, 1]
}

// Description is what links say about one page, with the words behind each concept. It is stored.
type Description struct {
	Words    []SaidWord `json:"words"`    // that took part, the most used first
	Concepts []Concept  `json:"concepts"` // the weightiest first
}

// SaidWord is a word with the sense and the term chosen for it.
type SaidWord struct {
	Word       string  `json:"word"`
	N          int     `json:"n"`                    // pages, or sites, that use it in links to the page
	Sense      string  `json:"sense,omitempty"`      // name of the chosen sense, "" if WordNet lacks the word or is not there
	Term       string  `json:"term,omitempty"`       // key of the term it was mapped to, "" if none
	Similarity float64 `json:"similarity,omitempty"` // to that term, or to the nearest one if it was not mapped
}

// Concept is a concept of a description.
type Concept struct {
	Key    string  `json:"key"`
	Weight float64 `json:"weight"`
	Words  []int   `json:"words"` // the words behind it, places in Description.Words
}

// Progress is the progress of a grouping.
type Progress struct {
	Step     string // in words, such as "Comparing pages"; "" when nothing is being made
	Done, Of int
}

// PageView is what links say about one page, for a person.
type PageView struct {
	Page        Page
	Description Description
	Names       map[string]string // of the keys in Description: labels of terms, or senses with their words
	Said        []Said            // of the links, those with the most of the words first, at most 50
	Links       int               // to the page, all
}

// Said is a link to a page, in its context.
type Said struct {
	SourceURL, SourceTitle string
	Text                   string   // around the link, as the page has it, without tags; "" when the content is not stored any more
	Words                  []string // of the link
}

// Answer is what was found for words.
type Answer struct {
	Text     string
	Words    []SaidWord        // of the text, with what they were taken for
	Names    map[string]string // of the keys in Words: labels of terms, or senses with their words
	Groups   []AnswerGroup
	Unmapped []string // words that describe nothing here, and were searched for in texts
	Found    []Hit    // by Unmapped
}

// AnswerGroup is pages of one cluster that fit, the most similar first.
type AnswerGroup struct {
	Label      string
	Cluster    int     // place in the default level's Clusters; -1 for pages in no cluster
	Similarity float64 // of the cluster's label and the text
	Pages      []AnswerPage
	More       int // pages that fit, too, and are not in Pages
}

// AnswerPage is a page that fits.
type AnswerPage struct {
	Page
	Similarity float64
}

// Hit is a page whose text has the words.
type Hit struct {
	URL, Title, Snippet string
}
