package strategy

import "math"

// A share of the pages goes to hosts that the crawl has hardly seen: useful pages of a large web are spread over many
// hosts, and one page of a host says little about the rest of it. The share grows the less the crawl finds,
// and shrinks the more new hosts bring nothing: where all useful pages are on one host, exploring others costs much.
const (
	harvestPages = 30.0 // length of the running mean of finds, in pages

	exploreOften   = 4 // pages from one exploration to the next
	exploreAtTimes = 8 // when the running mean is over fairHarvest
	exploreSeldom  = 16
	fairHarvest    = 0.1
	richHarvest    = 0.3

	barrenHosts = 4 // new hosts without a find that halve the share
	mostHalved  = 4 // times
)

// explore decides which pages go to hosts that the crawl has hardly seen.
type explore struct {
	Harvest float64 // running mean of the outcomes of links, without those to pages of the session
	Since   int     // links followed since a host was explored
	Barren  int     // hosts met since one brought its first find
}

// newExplore begins as if many hosts had brought nothing: exploring pays on a web of many useful hosts, of which the crawl
// soon meets one by itself.
func newExplore() explore { return explore{Barren: barrenHosts * mostHalved} }

func (x *explore) followed() { x.Since++ }

// found counts the outcome of a link to a page that is not of the session, and its host: whether it is met for the first
// time, and whether this is its first find.
func (x *explore) found(outcome float64, met, first bool) {
	x.Harvest += (outcome - x.Harvest) / harvestPages
	switch {
	case first:
		x.Barren = 0
	case met:
		x.Barren++
	}
}

// due reports whether it is a new host's turn, and if so restarts the count.
func (x *explore) due() bool {
	if x.Since < x.every() {
		return false
	}
	x.Since = 0
	return true
}

func (x *explore) every() int {
	halved := min(x.Barren/barrenHosts, mostHalved)
	switch {
	case x.Harvest > richHarvest:
		return exploreSeldom << halved
	case x.Harvest > fairHarvest:
		return exploreAtTimes << halved
	}
	return exploreOften << halved
}

// Explore reports whether the next page should be of a host that the crawl has hardly seen.
func (s *linkValue) Explore() bool { return s.explore.due() }

const (
	curious = 0.5 // log odds added to a link into a folder that was never visited
	shy     = 0.1 // log odds subtracted for each link between it and the start page, up to farthest
)

// curiosity is added to a link's log odds while the crawl has found little. The crawl then explores: folders that it has not
// seen, and pages near the start pages first, because what it knows was learned elsewhere. This fades with each useful page
// that is found.
func (s *linkValue) curiosity(url *linkKeys, n *note) float64 {
	around := curious/math.Sqrt(1+s.brought[byFolder].N(url.folder)) - shy*float64(min(n.depth, farthest))
	return around / float64(1+s.found)
}
