package trap

import "nightjar/crawler/weburl"

// followed is what the links of a page add.
type followed struct {
	branch *branch       // of the page, nil if it was read before
	site   grown         // to its site
	in     [levels]grown // to its groups, on its site
	met    [levels]int   // links of branch.follow to addresses of its groups that another page had
	adds   [levels]int   // addresses to its groups, on any site
}

// leaf reports whether the page is the end of its folder, and nearly that of its site.
func (f *followed) leaf() bool {
	return f.branch != nil && f.branch.added < growsBy && f.adds[byPattern] == 0 && f.adds[byFolder] == 0
}

// leads reports whether the page leads to more of its kind, as each choice of filters does in a catalogue: its numbers are those of
// other pages in another order. A table leads to the one before it and the one after it.
func (f *followed) leads() bool {
	return max(f.adds[byPattern], f.adds[byQuery]) > growsBy
}

// follow records the links of a page.
func (g *Guard) follow(r Read) (f followed) {
	f.branch = g.lineage.enter(r.URL, r.Parent)
	if f.branch == nil {
		return f
	}
	names := groups(r.URL)
	for _, k := range g.lineage.follow(f.branch, r.URL, r.Page) {
		if !k.away {
			f.site.count(k)
		}
		for l, name := range groups(k.url) {
			if name != names[l] {
				continue
			}
			if k.fresh {
				f.adds[l]++
			}
			switch {
			case k.away:
			case k.fresh:
				f.in[l].count(k)
			default:
				f.met[l]++
			}
		}
	}
	return f
}

// grow counts what a page adds to the families that it belongs to: those below each page above it, and its groups.
func (g *Guard) grow(r Read, f followed, find bool) {
	if find && r.Parent != "" && weburl.Site(r.Parent) != weburl.Site(r.URL) {
		g.lineage.credit(r.Parent)
	}
	if f.branch == nil {
		return
	}
	names, above := groups(r.URL), groups(r.Parent)
	for l, c := range g.groupsOf(r.URL) {
		if c != nil {
			f.in[l].find, f.in[l].later = find, above[l] == names[l]
			c.growth.add(f.in[l])
			c.growth.met += f.met[l]
		}
	}
	f.site.find = find
	g.lineage.grow(f.branch, f.site, g.limits)
}
