package themes

import (
	"slices"

	"nightjar/crawler/strategy"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/web/frame"
)

// Option is an entry of the list of strategies.
type Option struct{ Name, Label string }

// Options lists the strategies for people, the recommended one first, and with each ontology those that need one. chosen
// is there even if it is none of them, or its ontology is not there.
func Options(ontologies []ontologies.Ontology, chosen string) []Option {
	all := []Option{{strategy.Auto, "Best by benchmarks: " + strategy.Best}}
	for _, k := range strategy.ForPeople() {
		all = append(all, Option{k.Name, k.String()})
		if k.Needs != strategy.Ontology {
			continue
		}
		for _, o := range ontologies {
			all = append(all, Option{k.Name + ":" + o.Name, k.Name + " with the ontology “" + o.Name + "”"})
		}
	}
	switch named := strategy.OntologyOf(chosen); {
	case slices.ContainsFunc(all, func(o Option) bool { return o.Name == chosen }):
	case named != "":
		all = append(all, Option{chosen, "thematic with the ontology “" + frame.Printable(named) + "”, which is not there: the best one crawls"})
	default:
		all = append(all, Option{chosen, frame.Printable(chosen) + " (chosen earlier)"})
	}
	return all
}
