package model

import (
	"sync"
	"time"

	"nightjar/model/naivebayes"
	"nightjar/model/text"
	"nightjar/model/ways"
	"nightjar/model/webgraph"
)

// Bundle is a trained model: everything needed to score a page, and the facts of its training. It is immutable and safe
// for concurrent use; its slices must not be changed. Train and Decode make one. A Bundle must not be copied.
type Bundle struct {
	Topic    string
	Settings Settings
	Facts    Facts

	// How texts are counted: a bundle reads pages in the way in which it was trained.
	Languages []text.Language // of the training pages, same order as Pages; nil when all are in English

	// Text and LSI space, [HMM] §2.2.1.
	Terms    []string    // vocabulary: stems, sorted; m of them
	IDF      []float64   // log2(N/df)+1, len m
	Basis    []float32   // U_k, m×k, row-major
	Singular []float64   // σ_1 ≥ … ≥ σ_k
	Vectors  [][]float64 // unit coordinates of the training pages, len(Pages)×k; zero for a page without terms

	// Concept graph, [HMM] §2.2.2.
	Pages    []PageFact
	Edges    [][2]int // from, to: indices into Pages
	Clusters []Cluster

	// Hidden Markov model, [HMM] §3. n states, x+1 clusters.
	Initial    []float64   // π, len n
	Transition [][]float64 // A, n×n, rows sum to 1
	Emission   [][]float64 // B, n×(x+1), rows sum to 1; column 0 is the targets' cluster

	Gamma GammaFact

	// Classifiers of a page's words, by logistic regression.
	Features Features
	Soft     Soft
	Judge    Judge

	Lessons Lessons

	Ways   *ways.Ways // nil when nothing was learned from ways
	NoWays string     // why not, in words; "" also when the model does not say

	// Bayes tells pages around the topic, or around the document that the topic was made for, from others, [PANORAMA]
	// §3.3. Its terms are the stems that Bundle.Stems counts.
	Bayes   *naivebayes.Classifier // nil when there is none
	NoBayes string                 // why not, in words; "" also when the model does not say

	// Ancestors are pages beyond those of the session from which links lead to them, [CGS] §3.1.
	Ancestors []Ancestor

	Choice Choice
	Report *Report // nil until the model was assessed

	kept map[string]section // sections that this program cannot read; Encode writes them as they are

	reader sync.Once // guards read
	read   reading
}

// PageFact is a training page as the model sees it.
type PageFact struct {
	URL      string `cbor:"1,keyasint,omitempty"`
	Title    string `cbor:"2,keyasint,omitempty"`
	Cluster  int    `cbor:"3,keyasint,omitempty"` // 0 for targets, 1..x for the others
	State    int    `cbor:"4,keyasint,omitempty"` // hop label: 0 for targets; n-1 means n-1 or more links away, or no known path
	Target   bool   `cbor:"5,keyasint,omitempty"`
	Rejected bool   `cbor:"6,keyasint,omitempty"` // the person marked it Not useful
	Words    int    `cbor:"7,keyasint,omitempty"` // distinct known terms of the page
}

// Cluster describes a cluster by its size and its most characteristic words, in their most frequent spelling, best first.
type Cluster struct {
	Size              int    `cbor:"1,keyasint,omitempty"`
	LogOdds           []Word `cbor:"2,keyasint,omitempty"`
	MutualInformation []Word `cbor:"3,keyasint,omitempty"`
}

// Word is a word with its score.
type Word struct {
	Word  string  `cbor:"1,keyasint,omitempty"`
	Score float64 `cbor:"2,keyasint,omitempty"`
}

// Texts are the first words of a list, without their scores.
func Texts(scored []Word, count int) []string {
	var all []string
	for _, w := range scored[:min(count, len(scored))] {
		all = append(all, w.Word)
	}
	return all
}

// ClusterWords are the most telling words of a cluster; nil without a model. All words of a cluster of one page tell as much: none is
// named.
func (b *Bundle) ClusterWords(cluster, count int) []string {
	if b == nil || cluster < 0 || cluster >= len(b.Clusters) || b.Clusters[cluster].Size < 2 {
		return nil
	}
	return Texts(b.Clusters[cluster].LogOdds, count)
}

// GammaFact is the relevance threshold and how it was found.
type GammaFact struct {
	Value      float64 `cbor:"value"`
	Calibrated bool    `cbor:"calibrated"` // found on the session; otherwise the default or the person's choice
	F1         float64 `cbor:"f1"`         // of the calibration; 0 when not calibrated
	How        string  `cbor:"how"`        // one sentence in words
}

// Facts are the numbers of what a model was trained on.
type Facts struct {
	Pages      int       `cbor:"pages"`
	Targets    int       `cbor:"targets"`
	Edges      int       `cbor:"edges"`
	Terms      int       `cbor:"terms"`
	Rank       int       `cbor:"rank"`
	Clusters   int       `cbor:"clusters"`   // x, without the targets' cluster
	Rejected   int       `cbor:"rejected"`   // pages the person marked Not useful
	Features   int       `cbor:"features"`   // terms that the soft emission and the judge read
	Background int       `cbor:"background"` // pages from elsewhere that represent the rest of the web
	LastEvent  time.Time `cbor:"last_event"` // time of the last event in the session; never the current time
}

// Settings are the settings of a training. The zero value is not valid: start from DefaultSettings.
type Settings struct {
	States      int     `cbor:"states"`       // n ≥ 2
	MinClusters int     `cbor:"min_clusters"` // fewest clusters for X-means
	MaxClusters int     `cbor:"max_clusters"` // most clusters for X-means
	Rank        int     `cbor:"rank"`         // LSI dimensions; 0 means the smallest that keeps 90 % of the squared singular values, at most 50
	Neighbours  int     `cbor:"neighbours"`   // k of the nearest-neighbour classifier
	Smoothing   float64 `cbor:"smoothing"`    // added to each cell of A's and B's counts; 0 gives the paper
	Gamma       float64 `cbor:"gamma"`        // relevance threshold; 0 means calibrate
	Seed        uint64  `cbor:"seed"`
}

// DefaultSettings returns four states, three to eight clusters and five neighbours.
func DefaultSettings() Settings {
	return Settings{States: 4, MinClusters: 3, MaxClusters: 8, Neighbours: 5, Smoothing: 0.1, Seed: 1}
}

// TrainingSet is what a model is trained on: the web graph of a topic's sessions.
type TrainingSet struct {
	Topic      string
	Pages      []Page
	Edges      [][2]int // from, to: indices into Pages, no duplicates, no loops
	Entries    []int    // indices of the pages where sessions began
	Background []string // texts of pages that are probably not about the topic
	Declared   []string // languages that the background pages declare, same order; nil for none
	LastEvent  time.Time
}

// Page is one node of the web graph.
type Page struct {
	URL    string // canonical
	Title  string
	Text   string // as a reader sees it
	Links  []Link // in the order of the page, one for each address
	Target bool
	// Declared is the language that the page declares, "" for none. It decides where the text does not, see text.LanguageOf.
	Declared string
	// Rejected means that the person marked the page Not useful. Such a page is never a target.
	Rejected bool
}

// Link is a hyperlink of a page, to a visited page or elsewhere.
type Link = webgraph.NodeLink

// Progress is the progress of a training.
type Progress struct {
	Stage string // StageText and so on
	Done  int
	Total int
}

// Observation is what the model reads in a page's text.
type Observation struct {
	Known      bool      // at least one term of the vocabulary occurs
	Vector     []float64 // unit coordinates, nil when not Known
	Cluster    int       // by k nearest neighbours, -1 when not Known
	Similarity float64   // largest cosine to a target, 0 when not Known

	Emission []float64 // P(T_j | page)/P(T_j) for each state; nil when no feature occurs
	Useful   float64   // calibrated probability that the person would mark the page Useful, in [0, 1]
}
