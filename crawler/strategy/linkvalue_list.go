package strategy

import (
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/model/logistic"
	"nightjar/model/online"
)

// List values the addresses of a list by their words, and by what similar links brought. No page holds them: they count as links of a
// page like most, as far from the start page as makes a difference.
func (s *linkValue) List(list string, links []page.Link) (j Judgement) {
	usual, nothing := float32(online.LogOdds(s.brought[byFolder].Usual())), float32(s.judge.Said(logistic.Row{}))
	n := note{
		holder: online.Key(list), place: online.Key(weburl.Site(list), listed), depth: farthest,
		parent: usual, state: usual, anchor: nothing, around: nothing,
	}
	j.Notes, j.Priorities = make([][]byte, len(links)), make([]Priority, len(links))
	for i := range links {
		n.tokens = s.vocabulary.Address(links[i].URL)
		keys := keysOf(links[i].URL)
		j.Notes[i] = n.bytes()
		_, worth := s.worth(&keys, &n)
		j.Priorities[i] = worthKey(worth)
	}
	return j
}

// listed is the place of the addresses of lists among the links of a site.
const listed = "list"
