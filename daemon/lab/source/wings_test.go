package source

import (
	"slices"
	"strings"
	"testing"
)

// wings are the folders of the daemon, and the frame of the pages that some of them bring. Each imports only those before it, and itself.
// Pages of the data, sessions, nights and models show what wings after theirs know, such as free space, finds and ontologies, so they come after all of these.
var wings = []string{
	"base", "chart", "db", "store", "web/frame", "browse", "keep", "learn", "night", "morning", "panorama", "thesus", "workers", "keep/pages", "browse/pages", "night/pages", "learn/pages", "web", "app", "cli", "lab",
}

// upwards are the imports against the order of wings that are left.
var upwards = []string{
	"learn/trainer -> panorama/trainingset", "morning/api -> thesus/operators",
}

// TestWingsKeepTheirOrder: there are few folders below daemon, and each imports only those before it.
func TestWingsKeepTheirOrder(t *testing.T) {
	used := map[string]bool{}
	for _, p := range listPackages(t) {
		from, ok := strings.CutPrefix(p.ImportPath, "nightjar/daemon/")
		if !ok {
			continue
		}
		place := slices.Index(wings, wing(from))
		if place < 0 {
			t.Errorf("%s is in none of the wings %v", p.ImportPath, wings)
		}
		for _, imp := range p.Imports {
			to, ok := strings.CutPrefix(imp, "nightjar/daemon/")
			if !ok || slices.Index(wings, wing(to)) <= place {
				continue
			}
			rule := from + " -> " + to
			used[rule] = true
			if !slices.Contains(upwards, rule) {
				t.Errorf("%s: a wing imports only those before it", rule)
			}
		}
	}
	for _, rule := range upwards {
		if !used[rule] {
			t.Errorf("%s: there is no such import any more; remove the rule", rule)
		}
	}
}

// wing is the wing of a path below daemon.
func wing(path string) string {
	first, _, _ := strings.Cut(path, "/")
	if slices.Contains(wings, path) {
		return path
	}
	return first
}
