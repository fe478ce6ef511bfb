package strategy

import (
	"math"
	"strings"

	"nightjar/crawler/page"
	"nightjar/model/online"
	"nightjar/model/webgraph"
)

// Signals of a link: log odds or numbers of similar size, 0 where nothing is known.
const (
	parentSignal     = iota // of the page that holds the link
	stateSignal             // log odds of the expected value of the state that the hidden Markov model predicts behind the link
	anchorSignal            // the judge's reading of its anchor text
	aroundSignal            // the judge's reading of the words around it
	folderSignal            // yield of links into its folder
	siteSignal              // yield of links to its host
	placeSignal             // yield of links in the same position on the site's pages
	siblingsSignal          // yield of other links of the same page
	linkedSignal            // ln(1 + pages that link there)
	linkedMeanSignal        // of these pages, the mean
	linkedBestSignal        // and the best
	depthSignal             // links from the start page, a third of it, up to farthest
	signalCount
)

// farthest is the distance from the start page, in links, beyond which more makes no difference.
const farthest = 6

// usualWeights are the weights of the signals before anything was learned. They give the sign of each signal; its size is
// learned in each crawl.
func usualWeights() []float64 {
	return []float64{
		parentSignal: .3, stateSignal: 1.2, anchorSignal: .3, aroundSignal: .1, folderSignal: .5, siteSignal: .2,
		placeSignal: .3, siblingsSignal: .3, linkedSignal: .2, linkedMeanSignal: .3, linkedBestSignal: 0, depthSignal: 0,
	}
}

// signals returns the current signals of a link.
func (s *linkValue) signals(url *linkKeys, n *note) (x [signalCount]float32) {
	x[parentSignal], x[stateSignal], x[anchorSignal], x[aroundSignal] = n.parent, n.state, n.anchor, n.around
	b := &s.brought
	b.signals(x[:], url, n.holder, n.place)
	if l, ok := s.linked.Get(url.url); ok {
		x[linkedSignal], x[linkedMeanSignal], x[linkedBestSignal] = l.signals(b[byFolder].Usual())
	}
	if n.place == listedPlace {
		s.likeMost(&x)
	}
	x[depthSignal] = float32(min(n.depth, farthest)) / 3
	return x
}

// linkedFrom sums up the pages that link to a URL.
type linkedFrom struct {
	N, Sum, Best float32 // number of pages; sum and maximum of their probabilities of being useful
}

func (l linkedFrom) signals(usual float64) (n, mean, best float32) {
	return float32(math.Log1p(float64(l.N))),
		float32(online.LogOdds((float64(l.Sum) + usual) / (float64(l.N) + 1))),
		float32(online.LogOdds(float64(l.Best)))
}

// weighted are the signals of a link as they count in its log odds.
func (s *linkValue) weighted(n *note, x *[signalCount]float32) (w [signalCount]float64) {
	for i := range x {
		w[i] = s.links.Signals[i] * float64(x[i])
	}
	w[placeSignal] += behind(n, x)
	return w
}

// link notes that a page links to a URL, and reports whether it is the first.
func (s *linkValue) link(url uint64, useful float64) bool {
	l, known := s.linked.Get(url)
	if known || s.linked.Len() < maxLinked {
		s.linked.Set(url, linkedFrom{l.N + 1, l.Sum + float32(useful), max(l.Best, float32(useful))})
	}
	return !known
}

// brought is the yield of followed links by what they have in common, in the order of folderSignal to siblingsSignal.
type brought [4]*online.Means

// byFolder is the place of the folders in brought.
const byFolder = 0

func newBrought() (b brought) {
	for i := range b {
		b[i] = online.NewMeans()
	}
	return b
}

// common returns what a link may have in common with others: its folder, its site, its place and the page that holds it.
func common(url *linkKeys, holder, place uint64) [4]uint64 {
	return [4]uint64{url.folder, url.host, place, holder}
}

// signals fills in the yield of similar links so far.
func (b *brought) signals(x []float32, url *linkKeys, holder, place uint64) {
	for i, key := range common(url, holder, place) {
		x[folderSignal+i] = float32(b[i].LogOdds(key))
	}
}

func (b *brought) add(url *linkKeys, holder, place uint64, outcome float64) {
	for i, key := range common(url, holder, place) {
		b[i].Add(key, outcome)
	}
}

// folder is a URL without query and last part. A slash at the end of the path is no part of its own: the pages /event/a/ and
// /event/b/ are in one folder, as /event/a and /event/b are.
func folder(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	host := strings.Index(url, "://") + len("://")
	url = strings.TrimSuffix(url, "/")
	if i := strings.LastIndexByte(url, '/'); i >= host {
		return url[:i]
	}
	return url
}

func webLink(l page.Link) webgraph.Link {
	return webgraph.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around, Heading: l.Heading, Path: l.Path}
}
