package trainer

import (
	"fmt"

	"nightjar/daemon/store"
)

// changes says in words what differs between two versions of a model.
func changes(was, is store.ModelFacts) []string {
	var all []string
	count := func(what string, a, b int) {
		if a != b {
			all = append(all, fmt.Sprintf("%s: %d, was %d", what, b, a))
		}
	}
	count("sessions", len(was.Sessions), len(is.Sessions))
	count("pages", was.Pages, is.Pages)
	count("useful pages", was.Targets, is.Targets)
	count("links", was.Edges, is.Edges)
	count("terms", was.Terms, is.Terms)
	count("clusters", was.Clusters, is.Clusters)
	if was.Gamma != is.Gamma {
		all = append(all, fmt.Sprintf("threshold γ: %.2f, was %.2f", is.Gamma, was.Gamma))
	}
	if len(all) == 0 {
		all = append(all, "nothing that can be counted")
	}
	return all
}
