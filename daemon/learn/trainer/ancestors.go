package trainer

import (
	"context"
	"slices"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/contextgraph"
	"nightjar/model/online"
	"nightjar/model/text"
)

// Backlinks are the known links, asked from their ends: what a search engine is in [CGS].
type Backlinks interface {
	// To returns pages that link to a page and from which a model may learn, best first.
	To(ctx context.Context, url string) ([]store.Back, error)
	// Text returns the text of such a page.
	Text(ctx context.Context, p store.Back) (text.Source, error)
}

// maxLayer is the largest number of ancestors in a layer, over all useful pages.
const maxLayer = model.MaxAncestors / 4

// Ancestors returns the known pages beyond those of a model from which links lead to its useful pages, [CGS] §3.1: a search backwards
// from the useful pages, as deep as context graphs are. Of a layer with too many pages it takes one that links to each page of the layer
// before in turn.
func Ancestors(ctx context.Context, b *model.Bundle, known Backlinks) ([]model.Ancestor, []store.Back, error) {
	node, seen := map[string]int{}, map[string]bool{} // seen: a layer has it
	var layer []string
	for i, p := range b.Pages {
		if node[p.URL] = i; p.Target {
			layer, seen[p.URL] = append(layer, p.URL), true
		}
	}
	var found []store.Back
	var edges [][2]string
	for range contextgraph.Defaults().Depth {
		from := make([][]store.Back, len(layer))
		for i, url := range layer {
			var err error
			if from[i], err = known.To(ctx, url); err != nil {
				return nil, nil, err
			}
		}
		var next []string
		added := 0
		for k, more := 0, true; more; k++ {
			more = false
			for i, url := range layer {
				if k >= len(from[i]) {
					continue
				}
				more = true
				up := from[i][k]
				if _, is := node[up.URL]; !is && added < maxLayer {
					node[up.URL] = len(b.Pages) + len(found)
					found, added = append(found, up), added+1
				}
				if _, is := node[up.URL]; is {
					edges = append(edges, [2]string{up.URL, url})
					if !seen[up.URL] {
						next, seen[up.URL] = append(next, up.URL), true
					}
				}
			}
		}
		layer = next
	}
	all := make([]model.Ancestor, len(found))
	for i, p := range found {
		read, err := known.Text(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		all[i] = model.Ancestor{Key: online.Key(p.URL)}
		if strings.TrimSpace(read.Text) != "" {
			_, all[i].Words, _ = b.ReadPage(read.Declared, read.Text)
		}
	}
	for _, e := range edges {
		if from, to := node[e[0]]-len(b.Pages), node[e[1]]; from >= 0 && to != node[e[0]] && !slices.Contains(all[from].Links, to) {
			all[from].Links = append(all[from].Links, to)
		}
	}
	return all, found, nil
}

// withAncestors adds the known pages that lead to a model's useful pages. What they are of is noted with the background, so that
// erasing it empties the model.
func (t *Trainer) withAncestors(ctx context.Context, b *model.Bundle, in *input) (*model.Bundle, error) {
	settings, err := t.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	all, pages, err := Ancestors(ctx, b, linkTable{t, settings.NeverRecord})
	if err != nil {
		return nil, err
	}
	hosts, sessions := slices.Clone(in.background.hosts), slices.Clone(in.background.sessions)
	for _, p := range pages {
		if hosts = append(hosts, weburl.Host(p.URL)); p.Session != "" {
			sessions = append(sessions, p.Session)
		}
	}
	in.background.hosts, in.background.sessions = sortedSet(hosts), sortedSet(sessions)
	return b.WithAncestors(all), nil
}

// linkTable is the Backlinks of the store.
type linkTable struct {
	t     *Trainer
	never []string // hosts that are not recorded
}

// maxBack is how many pages that link to a page are looked at.
const maxBack = 300

// To leaves out the hosts that are not recorded, which may have been recorded once.
func (l linkTable) To(ctx context.Context, url string) ([]store.Back, error) {
	all, err := l.t.Store.BackOf(ctx, url, maxBack)
	return slices.DeleteFunc(all, func(p store.Back) bool {
		return slices.ContainsFunc(l.never, func(host string) bool { return store.OnHost(p.URL, host) })
	}), err
}

func (l linkTable) Text(ctx context.Context, p store.Back) (text.Source, error) {
	return l.t.text(ctx, trainingdata.BackgroundPage{URL: p.URL, Hash: p.Hash}, map[string]text.Source{})
}
