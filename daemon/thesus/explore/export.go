package explore

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/export"
)

// ErrKind is the error of Export for an unknown kind.
var ErrKind = fmt.Errorf("an export is one of %s", strings.Join(Kinds(), ", "))

// Kinds lists the kinds of exports.
func Kinds() []string { return []string{"csv", "json", "nt"} }

// Export writes a grouping: its pages with their concepts and words, and the clusters of the default level. kind is "csv", with
// one line for each page; "json"; or "nt", N-Triples. The errors are those of View, and ErrKind.
func (m *Maker) Export(ctx context.Context, id int64, kind string, w io.Writer) error {
	g, l, err := m.load(ctx, id)
	if err != nil {
		return err
	}
	v, err := m.fresh(ctx, g, l)
	if err != nil {
		return err
	}
	said := make([]Description, len(v.Pages))
	err = EachDescription(ctx, m.Store.DB, id, func(d PageDescription) error {
		if place, ok := l.place[d.Page]; ok {
			return json.Unmarshal([]byte(d.Body), &said[place])
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	e := exported{View: v, said: said, made: l.result.Made, cluster: v.clusters()}
	switch kind {
	case "csv":
		err = e.csv(out)
	case "json":
		err = e.json(out)
	case "nt":
		err = e.triples(out)
	default:
		return ErrKind
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// exported is a grouping that is written to a file.
type exported struct {
	*View
	said    []Description // of each page
	made    time.Time
	cluster []int // of each page, at the default level; -1 for none
}

// clusters gives the cluster of each page at the default level, -1 for none.
func (v *View) clusters() []int {
	of := make([]int, len(v.Pages))
	for i := range of {
		of[i] = -1
	}
	if len(v.Levels) > 0 {
		for c, one := range v.Levels[v.Default].Clusters {
			for _, p := range one.Pages {
				of[p] = c
			}
		}
	}
	return of
}

// shown are the clusters of the default level.
func (v *View) shown() []Cluster {
	if len(v.Levels) == 0 {
		return nil
	}
	return v.Levels[v.Default].Clusters
}

var csvHead = []string{"page", "title", "group", "linking_pages", "concepts", "words"}

// csv writes a line for each page: those of the clusters, then the others.
func (e exported) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvHead); err != nil {
		return err
	}
	line := func(p int) error {
		page, group := e.Pages[p], ""
		if c := e.cluster[p]; c >= 0 {
			group = e.shown()[c].Label
		}
		var concepts, words []string
		for _, c := range page.Concepts {
			concepts = append(concepts, fmt.Sprintf("%s %.2f", c.Name, c.Weight))
		}
		for _, w := range e.said[p].Words {
			words = append(words, fmt.Sprintf("%s %d", w.Word, w.N))
		}
		cells := []string{page.URL, api.Plain(page.Title), api.Plain(group), strconv.Itoa(page.Sources),
			api.Plain(strings.Join(concepts, "; ")), api.Plain(strings.Join(words, "; "))}
		for i := range cells {
			cells[i] = export.Cell(cells[i])
		}
		return out.Write(cells)
	}
	for _, c := range e.shown() {
		for _, p := range c.Pages {
			if err := line(p); err != nil {
				return err
			}
		}
	}
	for p, c := range e.cluster {
		if c < 0 {
			if err := line(p); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// The JSON of an export.
type (
	jsonGroups struct {
		Format   int             `json:"format"` // 1
		Title    string          `json:"title"`
		Ontology string          `json:"ontology"`
		Mode     Mode            `json:"mode"`
		Made     time.Time       `json:"made"`
		Options  GroupingOptions `json:"options"`
		MinSim   float64         `json:"min_similarity"` // of the clusters; 0 with COBWEB
		Depth    int             `json:"depth"`          // of the clusters in the tree of COBWEB; 0 with DBSCAN
		Few      int             `json:"few"`
		Stale    string          `json:"stale"`
		Warnings []string        `json:"warnings"`
		Groups   []jsonGroup     `json:"groups"`
		Pages    []jsonPage      `json:"pages"`
	}
	jsonGroup struct {
		Label string   `json:"label"`
		Terms []string `json:"terms"`
		Pages []string `json:"pages"` // addresses
	}
	jsonPage struct {
		URL      string     `json:"url"`
		Title    string     `json:"title"`
		Sources  int        `json:"linking_pages"`
		Group    int        `json:"group"` // place in groups, -1 for none
		Concepts []Weighted `json:"concepts"`
		Words    []SaidWord `json:"words"`
	}
)

// json writes one object.
func (e exported) json(w io.Writer) error {
	all := jsonGroups{
		Format: 1, Title: e.Title, Ontology: e.Ontology, Mode: e.Mode, Made: e.made, Options: e.Grouping.Options, Few: e.Few,
		Stale: e.Grouping.Stale, Warnings: e.Warnings, Groups: []jsonGroup{}, Pages: make([]jsonPage, len(e.Pages)),
	}
	if len(e.Levels) > 0 {
		all.MinSim, all.Depth = e.Levels[e.Default].MinSim, e.Levels[e.Default].Depth
	}
	for _, c := range e.shown() {
		group := jsonGroup{Label: c.Label, Terms: c.Terms, Pages: make([]string, len(c.Pages))}
		for i, p := range c.Pages {
			group.Pages[i] = e.Pages[p].URL
		}
		all.Groups = append(all.Groups, group)
	}
	for i, p := range e.Pages {
		all.Pages[i] = jsonPage{URL: p.URL, Title: p.Title, Sources: p.Sources, Group: e.cluster[i], Concepts: p.Concepts,
			Words: append([]SaidWord{}, e.said[i].Words...)}
	}
	out := json.NewEncoder(w)
	out.SetIndent("", " ")
	return out.Encode(all)
}
