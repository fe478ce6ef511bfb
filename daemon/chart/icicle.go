package chart

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// IcicleLevel is the clusters of a pseudo-hierarchy at one similarity ([THESUS] §5.4), or of a tree at one depth.
type IcicleLevel struct {
	Name     string // such as "0.75"
	Says     string // such as "similarity 0.75"
	Clusters []IcicleCluster
}

// IcicleCluster is a cluster at a level.
type IcicleCluster struct {
	Label  string
	Pages  int
	Parent int // place of the cluster of the next level that holds it; -1 for none
	Href   string
}

// Icicle is a drawn pseudo-hierarchy: a row for each level, the last level at the top, with a box for each cluster that is
// as wide as its share of all pages and stands below the box of its parent. What is right of the boxes is not grouped.
type Icicle struct {
	Rows []IcicleRow
	High float64 // of the picture in em
	Desc string
}

// IcicleRow is a level of an Icicle.
type IcicleRow struct {
	Name    string
	Says    string
	Y, Text float64 // of its upper edge, and of its writing, in em
	Now     bool    // the level that is shown beside the picture
	Boxes   []IcicleBox
	Grouped int
	Small   int // clusters that are too small, or too many, to be drawn
}

// IcicleBox is a cluster of an Icicle.
type IcicleBox struct {
	X, Wide string // in percent of the picture, such as "12.50%"
	Class   string // "c1" to "c8" for the largest clusters of the level that is shown, and for those inside of them
	Needs   string // style class of the least width of the picture in which its label has room: "w0" to "w4"
	Now     bool   // the cluster that is shown beside the picture
	Label   string // "" when there is no room for it
	Title   string
	Href    string
}

const (
	icicleRow    = 2.1   // height of a row in em
	icicleLeast  = 0.001 // share of the pages of a cluster that is drawn
	icicleBoxes  = 40    // clusters of a row that are drawn, at most
	icicleColour = 8     // clusters with a colour of their own
	icicleRoom   = 0.9   // of the width, for boxes; the names of the levels are right of them
	labelMargin  = 1.2   // beside a label, in rem
	labelLetter  = 0.6   // width of a letter in rem, rather too large than too small
	leastLabel   = 4     // letters of a label that is cut
)

// icicleWidths are widths of the picture in rem. A label is cut so that it has room in the last one.
var icicleWidths = []float64{19, 31, 44, 57, 73}

// Icicles draws the levels of a grouping of pages. now is the level shown, and cluster the selected one of its clusters, -1
// for none.
func Icicles(levels []IcicleLevel, pages, now, cluster int) Icicle {
	d := icicle{levels: levels, pages: float64(max(pages, 1)), now: now, cluster: cluster}
	d.place()
	d.colour()
	p := Icicle{High: icicleRow * float64(len(levels))}
	for l := len(levels) - 1; l >= 0; l-- {
		p.Rows = append(p.Rows, d.row(l, float64(len(levels)-1-l)*icicleRow))
	}
	p.Desc = icicleDesc(p.Rows)
	return p
}

// icicle is an Icicle in the making. Places and widths are shares of all pages.
type icicle struct {
	levels  []IcicleLevel
	pages   float64
	now     int
	cluster int
	at      [][]float64
	wide    [][]float64
	class   [][]string
}

// place puts the clusters of each level below their parents, the largest first. Pages on the border between two clusters may
// change sides from level to level: clusters that together have more pages than their parent share its width.
func (d *icicle) place() {
	n := len(d.levels)
	d.at, d.wide = make([][]float64, n), make([][]float64, n)
	for l := n - 1; l >= 0; l-- {
		all := d.levels[l].Clusters
		d.at[l], d.wide[l] = make([]float64, len(all)), make([]float64, len(all))
		groups := map[int][]int{}
		for i, c := range all {
			parent := c.Parent
			if l == n-1 || parent < 0 || parent >= len(d.levels[l+1].Clusters) {
				parent = -1
			}
			groups[parent] = append(groups[parent], i)
		}
		end := 0.0 // of the boxes below parents
		for parent, members := range groups {
			if parent >= 0 {
				end = max(end, d.fill(l, members, d.at[l+1][parent], d.wide[l+1][parent]))
			}
		}
		d.fill(l, groups[-1], end, 1-end)
	}
}

// fill puts clusters side by side from a place on, and makes them narrower when they are wider than the room. It returns
// where they end.
func (d *icicle) fill(l int, members []int, from, room float64) float64 {
	slices.SortStableFunc(members, func(a, b int) int {
		return cmp.Compare(d.levels[l].Clusters[b].Pages, d.levels[l].Clusters[a].Pages)
	})
	sum := 0.0
	for _, i := range members {
		sum += float64(d.levels[l].Clusters[i].Pages) / d.pages
	}
	scale := 1.0
	if sum > room && sum > 0 {
		scale = max(room, 0) / sum
	}
	for _, i := range members {
		d.at[l][i], d.wide[l][i] = from, float64(d.levels[l].Clusters[i].Pages)/d.pages*scale
		from += d.wide[l][i]
	}
	return from
}

// colour gives the largest clusters of the level that is shown a colour, and those inside of them the same.
func (d *icicle) colour() {
	d.class = make([][]string, len(d.levels))
	for l := len(d.levels) - 1; l >= 0; l-- {
		d.class[l] = make([]string, len(d.levels[l].Clusters))
		for i, c := range d.levels[l].Clusters {
			switch {
			case l == d.now && i < icicleColour:
				d.class[l][i] = ClusterClass(i + 1)
			case l < d.now && c.Parent >= 0 && c.Parent < len(d.class[l+1]):
				d.class[l][i] = d.class[l+1][c.Parent]
			}
		}
	}
}

func (d *icicle) row(l int, y float64) IcicleRow {
	level := d.levels[l]
	r := IcicleRow{Name: level.Name, Says: level.Says, Y: Tenth(y), Text: Tenth(y + icicleRow*.66), Now: l == d.now}
	for i, c := range level.Clusters {
		r.Grouped += c.Pages
		wide := d.wide[l][i]
		if wide < icicleLeast || len(r.Boxes) == icicleBoxes {
			r.Small++
			continue
		}
		box := IcicleBox{X: across(d.at[l][i]), Wide: across(wide), Class: d.class[l][i], Now: r.Now && i == d.cluster,
			Href: c.Href, Title: fmt.Sprintf("%s: %s at %s", visible(c.Label), Plural(c.Pages, "page", "pages"), level.Says)}
		box.Label, box.Needs = labelIn(visible(c.Label), wide*icicleRoom)
		r.Boxes = append(r.Boxes, box)
	}
	return r
}

// labelIn cuts a label to fit its box and returns the minimum picture width at which it is shown.
func labelIn(label string, share float64) (cut, needs string) {
	room := int((share*icicleWidths[len(icicleWidths)-1] - labelMargin) / labelLetter)
	if room < leastLabel {
		return "", ""
	}
	cut = Shorten(room, label)
	least := (labelMargin + labelLetter*float64(len([]rune(cut)))) / share
	for i, width := range icicleWidths {
		if least <= width+1e-9 {
			return cut, "w" + strconv.Itoa(i)
		}
	}
	return "", ""
}

// across writes a share of the room for boxes in percent of the width, with two decimals.
func across(v float64) string { return strconv.FormatFloat(v*icicleRoom*100, 'f', 2, 64) + "%" }

func icicleDesc(rows []IcicleRow) string {
	text := ""
	for _, r := range rows {
		text += fmt.Sprintf("At %s: %s in %s. ", r.Says, Plural(r.Grouped, "page", "pages"),
			Plural(len(r.Boxes)+r.Small, "cluster", "clusters"))
	}
	return text
}

// LevelBar is how many pages are grouped at a level, for a picture of all levels.
type LevelBar struct {
	High    float64 // of the pages in clusters, in percent of all pages
	Largest float64 // of those in the largest cluster
}

// LevelBars returns the bars of levels: the number of pages in clusters and in the largest cluster.
func LevelBars(levels []IcicleLevel, pages int) []LevelBar {
	all := make([]LevelBar, len(levels))
	for i, l := range levels {
		grouped, largest := 0, 0
		for _, c := range l.Clusters {
			grouped, largest = grouped+c.Pages, max(largest, c.Pages)
		}
		of := 100 / float64(max(pages, 1))
		all[i] = LevelBar{Tenth(float64(grouped) * of), Tenth(float64(largest) * of)}
	}
	return all
}
