package trap

import (
	"hash/maphash"
	"strings"

	"nightjar/crawler/neardup"
)

// A thin page has a title of its own and a short text that comes mostly from a template: a member of a staff, an entry of a
// catalogue. Often only its name is new, and its address repeats the name, so its text does not tell it from a page that is
// made up for any address. Its links do: a thin page is an end. It leads to no more of its kind, so there are only as many
// as some list has entries. Thin pages therefore cost their groups little. A page that leads to more of a group costs that
// group as much as any page without anything new.

// thinWords is the number of words that a thin page has at most. A longer text that was read before is a copy.
const thinWords = 300

// attachedWaste is the cost of a thin page for a group that it adds one address to, outside of its folder: that may be the
// page's card or calendar file, but also the next page of a chain.
const attachedWaste = 0.25

// cost is what a page without anything new takes from the allowance of each of its groups.
type cost [levels]float64

// evenly is the cost of a page that costs each group the same.
func evenly(waste float64) (c cost) {
	for l := range c {
		c[l] = waste
	}
	return c
}

// thin lowers the cost for the groups that the page adds no address to. A group's allowance is used up by as many thin pages
// as a family that grows like a trap may have without a find; if the judge takes them for relevant, by as many pages as a
// family may have that seems to have no end.
func (c *cost) thin(l limits, relevant bool, adds [levels]int) {
	most := l.barren
	if relevant {
		most = l.endless
	}
	for at := range c {
		switch {
		case adds[at] == 0:
			c[at] = l.allowance[at] / float64(most)
		case adds[at] == 1 && adds[byFolder] == 0:
			c[at] = attachedWaste
		}
	}
}

// costOf returns the cost of a page, should it have nothing new.
func (g *Guard) costOf(r Read, v Verdict, missing, thin bool, f followed) cost {
	switch {
	case r.Kind.Stuffed:
		return evenly(spamWaste)
	case v.Near || missing:
		return evenly(sureWaste)
	}
	c := evenly(1)
	if thin && v.NoFind == "" && f.branch != nil {
		c.thin(g.limits, r.Relevant, f.adds)
	}
	return c
}

// titles remembers the parts of the titles of all pages.
type titles struct {
	seed  maphash.Seed
	parts map[uint64]struct{} // hashes of their words
}

// maxTitles bounds the parts that are remembered, to some 40 MB. No later title is new.
const maxTitles = 1 << 20

func newTitles() *titles { return &titles{seed: maphash.MakeSeed(), parts: map[uint64]struct{}{}} }

// own remembers a title and reports whether a part of it is new: that part is the page's own, the others are often the name
// of the site. Numbers do not make a part new.
func (t *titles) own(title string) (own bool) {
	for part := range strings.FieldsFuncSeq(titleHyphens.Replace(title), partsTitle) {
		var h maphash.Hash
		h.SetSeed(t.seed)
		named := false // it has a word that is no number
		neardup.EachWord(part, func(_, folded uint64) bool {
			named = named || folded != neardup.Number
			maphash.WriteComparable(&h, folded)
			return true
		})
		if _, known := t.parts[h.Sum64()]; !known && named && len(t.parts) < maxTitles {
			t.parts[h.Sum64()] = struct{}{}
			own = true
		}
	}
	return own
}

// titleHyphens replaces the separators of more than one character by one that partsTitle knows.
var titleHyphens = strings.NewReplacer(" - ", "|", ": ", "|")

// partsTitle reports whether a character stands between two parts of a title.
func partsTitle(r rune) bool { return strings.ContainsRune("|–—·•»«", r) }
