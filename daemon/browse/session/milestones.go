package session

import (
	"cmp"
	"slices"
	"time"

	"nightjar/daemon/browse/protocol"
)

// Milestones are the names of a topic's pages while they are given and changed, in order of time. A page has at most
// one name in a scope. A scope is a topic; the scope whole, that of a combined topic, acts on those of its members too.
// Names that differ in case only are one name, spelled as it was when the first of its pages got it.
type Milestones struct {
	whole    int64
	said     int                        // how often something was said
	pages    map[string]map[int64]given // by canonical URL and scope
	used     map[string]int             // pages by key of their name
	spelling map[string]string          // by key
}

// given is a page's name: its key, and when it was given in the order of what was said.
type given struct {
	key string
	n   int
}

// NewMilestones returns no names. What is said in the scope whole holds for all scopes.
func NewMilestones(whole int64) *Milestones {
	return &Milestones{whole: whole, pages: map[string]map[int64]given{}, used: map[string]int{}, spelling: map[string]string{}}
}

// Name gives a page a name, or takes its name back when name is empty. It ignores a name that protocol.MilestoneName
// refuses, since files of sessions may have such names.
func (m *Milestones) Name(scope int64, url, name string) {
	if name != "" {
		clean, err := protocol.MilestoneName(name)
		if err != nil {
			return
		}
		name = clean
	}
	for at := range m.pages[url] {
		if scope == m.whole || at == scope {
			m.drop(url, at)
		}
	}
	if name != "" {
		m.said++
		m.put(url, scope, name)
	}
}

// Rename gives all pages with a name another one, and returns how many these are.
func (m *Milestones) Rename(scope int64, name, to string) (pages int) {
	return m.change(scope, name, func(url string, at int64) { m.put(url, at, to) })
}

// Delete takes a name back from all pages that have it, and returns how many these are.
func (m *Milestones) Delete(scope int64, name string) (pages int) {
	return m.change(scope, name, func(string, int64) {})
}

// change drops a name from its pages and then calls next for each of them.
func (m *Milestones) change(scope int64, name string, next func(url string, at int64)) (pages int) {
	type place struct {
		url string
		at  int64
	}
	var all []place
	key := protocol.MilestoneKey(name)
	for url, scopes := range m.pages {
		for at, g := range scopes {
			if g.key == key && (scope == m.whole || at == scope) {
				all = append(all, place{url, at})
			}
		}
	}
	for _, p := range all {
		m.drop(p.url, p.at)
	}
	m.said++
	for _, p := range all {
		next(p.url, p.at)
	}
	return len(all)
}

func (m *Milestones) put(url string, scope int64, name string) {
	key := protocol.MilestoneKey(name)
	if m.used[key]++; m.used[key] == 1 {
		m.spelling[key] = name
	}
	if m.pages[url] == nil {
		m.pages[url] = map[int64]given{}
	}
	m.pages[url][scope] = given{key, m.said}
}

func (m *Milestones) drop(url string, scope int64) {
	key := m.pages[url][scope].key
	m.used[key]--
	delete(m.pages[url], scope)
}

// Pages returns the names by canonical URL. Where scopes differ, the name given last counts; of names that a change
// gave at the same time, that of the scope with the higher number.
func (m *Milestones) Pages() map[string]string {
	names := map[string]string{}
	for url, scopes := range m.pages {
		var last given
		var lastAt int64
		for at, g := range scopes {
			if g.n > last.n || g.n == last.n && at > lastAt {
				last, lastAt = g, at
			}
		}
		if last.key != "" {
			names[url] = m.spelling[last.key]
		}
	}
	return names
}

// Naming is a name that the person gave to a page, or took back, in a session.
type Naming struct {
	URL  string    // canonical
	Name string    // "" takes the name back
	At   time.Time // not before that of an earlier naming of the session, even if the computer's clock was set back
}

// Named returns the names of the pages of several sessions by canonical URL. The name given last counts.
func Named(all []*Session) map[string]string {
	var said []Naming
	for _, r := range all {
		said = append(said, r.Namings...)
	}
	slices.SortStableFunc(said, func(a, b Naming) int { return cmp.Compare(a.At.UnixMilli(), b.At.UnixMilli()) })
	m := NewMilestones(0)
	for _, n := range said {
		m.Name(0, n.URL, n.Name)
	}
	return m.Pages()
}

// name notes a naming of a page.
func (r *Session) name(url, name string, at time.Time) {
	if n := len(r.Namings); n > 0 && r.Namings[n-1].At.After(at) {
		at = r.Namings[n-1].At
	}
	r.Namings = append(r.Namings, Naming{url, name, at})
}
