package strategy

import (
	"strings"

	"nightjar/crawler/page"
	"nightjar/model/logistic"
	"nightjar/model/online"
	"nightjar/model/text"
	"nightjar/model/webgraph"
)

// listedPlace is the position of all listed addresses.
var listedPlace = online.Key("list")

// List values the addresses of a list by their words, by those of their titles in a feed, and by what similar links brought. No page
// holds them: they count as links of an average page at the distance farthest from the start page.
func (s *linkValue) List(list string, links []page.Link) (j Judgement) {
	nothing := float32(s.judge.Said(logistic.Row{}))
	n := note{holder: online.Key(list), place: listedPlace, depth: farthest, anchor: nothing, around: nothing}
	j.Notes, j.Priorities = make([][]byte, len(links)), make([]Priority, len(links))
	in := titlesIn(links)
	for i := range links {
		n.anchor = nothing
		if links[i].Anchor == "" {
			n.tokens = s.vocabulary.Address(links[i].URL)
		} else {
			read := s.vocabulary.Link(in, webgraph.Link{URL: links[i].URL, Anchor: links[i].Anchor}, true)
			n.tokens, n.anchor = read.Tokens, float32(s.judge.Said(read.Anchor.Row))
		}
		keys := keysOf(links[i].URL)
		j.Notes[i] = n.bytes()
		_, worth := s.worth(&keys, &n)
		j.Priorities[i] = worthKey(worth)
	}
	return j
}

// titlesIn is the language of the titles in a feed.
func titlesIn(links []page.Link) text.Language {
	var all strings.Builder
	for i := 0; i < len(links) && all.Len() < 4<<10; i++ {
		all.WriteString(links[i].Anchor + "\n")
	}
	return text.LanguageOf("", all.String())
}

// likeMost sets the signals of a listed address that would come from the page with the link to what is usual so far.
func (s *linkValue) likeMost(x *[signalCount]float32) {
	usual := float32(online.LogOdds(s.brought[byFolder].Usual()))
	for _, i := range [...]int{parentSignal, stateSignal, linkedMeanSignal, linkedBestSignal} {
		x[i] = usual
	}
}

// behind is the penalty on an address from a list while such addresses bring less than links: a list may have thousands, which must
// not crowd out the links. It is 0 for links and negative otherwise.
func behind(n *note, x *[signalCount]float32) float64 {
	if n.place != listedPlace {
		return 0
	}
	return min(0, float64(x[placeSignal]))
}
