package web

import (
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/store"
)

// TestStrategyOptions: thematic can be chosen with each ontology, and a choice whose ontology is gone is still there.
func TestStrategyOptions(t *testing.T) {
	shelf := []store.Ontology{{Name: "Music"}, {Name: "<b>Weather"}}
	names := func(chosen string) (all []string, labels map[string]string) {
		labels = map[string]string{}
		for _, o := range strategyOptions(shelf, chosen) {
			all, labels[o.Name] = append(all, o.Name), o.Label
		}
		return all, labels
	}
	all, labels := names(strategy.Auto)
	if got := strings.Join(all, " "); !strings.HasPrefix(got, "auto link-value ") || !strings.Contains(got, " thematic thematic:Music thematic:<b>Weather ") || len(all) != len(strategy.Names())+3 {
		t.Errorf("%q", got)
	}
	if labels["thematic:Music"] != "thematic with the ontology “Music”" {
		t.Errorf("%q", labels["thematic:Music"])
	}
	if all, _ = names("thematic:Music"); len(all) != len(labels) {
		t.Errorf("chosen, it is there twice: %q", all)
	}
	if _, labels = names("thematic:Go\x07ne"); !strings.Contains(labels["thematic:Go\x07ne"], "“Gone”, which is not there") {
		t.Errorf("%q", labels)
	}
}
