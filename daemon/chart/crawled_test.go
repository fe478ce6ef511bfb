package chart

import "testing"

// TestDrawCrawled: pages go to the right and down, and each hangs on the page that led to it, as far as that is drawn.
func TestDrawCrawled(t *testing.T) {
	all := []Crawled{{N: 7, Parent: 3, Depth: 1}, {N: 8, Parent: 7, Depth: 2}, {N: 9, Parent: 7, Depth: 2}, {N: 10, Parent: 9, Depth: 12}}
	p := DrawCrawled(all, "")
	if len(p.Nodes) != 4 || len(p.Edges) != 3 {
		t.Fatalf("%d pages and %d links between them", len(p.Nodes), len(p.Edges))
	}
	for i, n := range p.Nodes {
		if n.X < 0 || n.X > p.Width || n.Y < 0 || n.Y > p.Height || i > 0 && (n.X <= p.Nodes[i-1].X || n.Y < p.Nodes[i-1].Y) {
			t.Errorf("page %d is at %v, %v", i, n.X, n.Y)
		}
	}
	for range 300 {
		all = append(all, Crawled{N: len(all) + 7, Parent: 10, Depth: 3})
	}
	if more := DrawCrawled(all, ""); more.Width != p.Width || more.Height != p.Height || more.Nodes[303].X > p.Width {
		t.Errorf("with more pages: %v × %v, the last at %v", more.Width, more.Height, more.Nodes[303].X)
	}
}
