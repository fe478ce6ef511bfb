package session

import (
	"slices"
	"strings"

	"nightjar/crawler/weburl"
)

// Together groups sessions that browsers recorded together: one group for each whole, in the order in which the first session
// of each is handed in. In a group, sessions are in order of their UUIDs, which is that of their starts: whichever arrived
// first, the same follow from them. A session may name one that is not among them; all that name it belong together then.
func Together(all []*Session) [][]*Session {
	joins := map[string]string{}
	for _, s := range all {
		joins[s.ID] = s.Joins
	}
	key := func(id string) string {
		seen := []string{id}
		for joins[id] != "" {
			if id = joins[id]; slices.Contains(seen, id) {
				return slices.Min(seen) // a circle, which only a strange file has
			}
			seen = append(seen, id)
		}
		return id
	}
	at := map[string]int{}
	var groups [][]*Session
	for _, s := range all {
		k := key(s.ID)
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b *Session) int { return strings.Compare(a.ID, b.ID) })
	}
	return groups
}

// Began returns the search that led to the first page of visits, which are in order and without frames: the first page that
// is no result page of a search engine came from one, or was requested by way of one. Of a session that has seen result
// pages only, it is the last search. ok is false when it did not begin with a search.
func Began(visits []Visit) (search weburl.Search, ok bool) {
	results := map[string]weburl.Search{} // by page load
	for _, v := range visits {
		if s, is := weburl.SearchOf(v.URL); is {
			results[v.Load], search, ok = s, s, true
			continue
		}
		if s, is := results[v.From]; is {
			return s, true
		}
		return weburl.SearchOf(v.Requested)
	}
	return search, ok
}
