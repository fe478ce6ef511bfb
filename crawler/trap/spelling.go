package trap

import (
	"hash/maphash"
	"math/bits"
	"path"
	"slices"
	"strings"
)

// One page often has several addresses that differ in their spelling alone: with www or without, with the name of the index file, with
// a parameter that says where the reader came from. When the page shows the day, or has changed since it was read at the first
// address, its simhash may differ in more bits than that of a copy: a date of three words is some five bits of a page of 150 words.
// Then the address and the title say that it is the same page.
const (
	respelledBits = 10  // in which the simhashes of the texts differ at most
	maxSpellings  = 16  // if one title and one address without parameters have that many pages, the parameters tell pages apart
	longestTitle  = 300 // in bytes; Past has only the first part of a longer one
)

// spelling is a page at one spelling of its address.
type spelling struct {
	url     uint64 // its hash
	query   string
	simhash uint64
}

// indexes are the usual names of the page of a folder.
var indexes = map[string]bool{"index": true, "default": true, "home": true, "welcome": true, "main": true}

// spell returns a page, and a hash of its title and of what all spellings of its address have in common, 0 for a page without a title.
func (s *seen) spell(url, title string, simhash uint64) (key uint64, p spelling) {
	if title == "" || len(title) > longestTitle {
		return 0, p
	}
	address, query, _ := strings.Cut(url, "?")
	_, address, _ = strings.Cut(strings.ToLower(address), "://")
	address = path.Clean(strings.TrimPrefix(address, "www."))
	if folder, file := path.Split(address); indexes[strings.TrimSuffix(file, path.Ext(file))] {
		address = path.Clean(folder)
	}
	return maphash.String(s.seed, address+"\n"+title), spelling{maphash.String(s.seed, url), query, simhash}
}

// respelled reports whether a page was read before at another spelling of its address.
func (s *seen) respelled(url, title string, simhash uint64) bool {
	key, p := s.spell(url, title, simhash)
	all := s.spelled[key]
	return key != 0 && len(all) < maxSpellings && slices.ContainsFunc(all, func(o spelling) bool {
		return o.url != p.url && bits.OnesCount64(o.simhash^simhash) <= respelledBits && (within(o.query, p.query) || within(p.query, o.query))
	})
}

// addSpelling remembers the newest text of a page.
func (s *seen) addSpelling(url, title string, simhash uint64) {
	key, p := s.spell(url, title, simhash)
	all := s.spelled[key]
	switch i := slices.IndexFunc(all, func(o spelling) bool { return o.url == p.url }); {
	case key == 0:
	case i >= 0:
		all[i] = p
	case len(all) < maxSpellings:
		s.spelled[key] = append(all, p)
	}
}

// within reports whether a query has all parameters of another one, with the same values.
func within(few, many string) bool {
	have := strings.Split(many, "&")
	return few == "" || !slices.ContainsFunc(strings.Split(few, "&"), func(p string) bool { return !slices.Contains(have, p) })
}
