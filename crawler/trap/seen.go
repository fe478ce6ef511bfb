package trap

import (
	"hash/maphash"

	"nightjar/crawler/neardup"
	"nightjar/crawler/weburl"
)

const (
	filterBits       = 1 << 26         // of one generation of shingles, 8 MiB
	filterFull       = filterBits / 16 // shingles that it holds
	newShare         = 0.35            // share of new shingles from which a page has new text
	newShareRelevant = 0.25            // the same for a relevant page; needed because a judge finds all pages of a trap relevant if it does one
	minNew           = 5               // and at least that many new shingles
)

// seen remembers texts: simhashes of pages to find copies, and shingles to measure how much of a text is new.
type seen struct {
	blocks  [4]map[uint16][]uint64 // simhashes by each quarter of their bits: two that differ in at most three bits share a quarter
	urls    map[uint64]uint64      // simhash by hash of the final URL
	sites   map[uint64]uint64      // hash of the site of the first page with a simhash
	spelled map[uint64][]spelling  // by what spell returns
	seed    maphash.Seed
	shingle [2][]uint64 // bits, the younger generation first
	held    int         // shingles in it
}

func newSeen() *seen {
	s := &seen{urls: map[uint64]uint64{}, sites: map[uint64]uint64{}, spelled: map[uint64][]spelling{}, seed: maphash.MakeSeed()}
	for i := range s.blocks {
		s.blocks[i] = map[uint16][]uint64{}
	}
	s.shingle[0] = make([]uint64, filterBits/64)
	return s
}

// near reports whether a simhash differs from an earlier one in at most neardup.NearBits bits, and whether one of those is
// of a page of another site.
func (s *seen) near(h uint64, site string) (near, elsewhere bool) {
	own := maphash.String(s.seed, site)
	for i := range s.blocks {
		for _, other := range s.blocks[i][uint16(h>>(16*i))] {
			if !neardup.SameText(h, other) {
				continue
			}
			if near = true; s.sites[other] != own {
				return true, true
			}
		}
	}
	return near, false
}

// add remembers the text of a page, or its new text, unless its simhash is 0.
func (s *seen) add(url, title string, h uint64) {
	if h == 0 {
		return
	}
	s.addSpelling(url, title, h)
	s.urls[maphash.String(s.seed, url)] = h
	if _, known := s.sites[h]; !known {
		s.sites[h] = maphash.String(s.seed, weburl.Site(url))
	}
	for i := range s.blocks {
		b := uint16(h >> (16 * i))
		s.blocks[i][b] = append(s.blocks[i][b], h)
	}
}

// of is the simhash of the page read at url, 0 if there was none.
func (s *seen) of(url string) uint64 { return s.urls[maphash.String(s.seed, url)] }

// text remembers a text and returns the share of its words that is new, and of its numbers.
func (s *seen) text(k neardup.Sketch) (words, numbers float64) {
	if s.held > filterFull {
		s.shingle[1], s.shingle[0], s.held = s.shingle[0], make([]uint64, filterBits/64), 0
	}
	return s.fresh(k.Shingles, 1), s.fresh(k.Numbers, neardup.NumbersInRow)
}

// fresh remembers shingles and returns the share of them that is new, 0 if fewer than minNew are. A shingle counts as new
// together with the ones before it, inRow in all.
func (s *seen) fresh(shingles []uint64, inRow int) float64 {
	fresh, row := 0, 0
	for _, h := range shingles {
		word, bit := h%filterBits/64, uint64(1)<<(h%64)
		old := s.shingle[0][word]&bit != 0
		if !old {
			s.shingle[0][word] |= bit
			s.held++
		}
		if old || s.shingle[1] != nil && s.shingle[1][word]&bit != 0 {
			row = 0
			continue
		}
		if row++; row >= inRow {
			fresh++
		}
	}
	if fresh < minNew {
		return 0
	}
	return float64(fresh) / float64(len(shingles))
}
