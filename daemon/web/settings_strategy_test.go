package web

import (
	"strings"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/themes"
)

// TestStrategyOptions: people choose among the strategies for them. thematic can be chosen with each ontology. A choice that is
// none of them, or whose ontology is gone, is still there.
func TestStrategyOptions(t *testing.T) {
	shelf := []ontologies.Ontology{{Name: "Music"}, {Name: "<b>Weather"}}
	names := func(chosen string) (all []string, labels map[string]string) {
		labels = map[string]string{}
		for _, o := range themes.Options(shelf, chosen) {
			all, labels[o.Name] = append(all, o.Name), o.Label
		}
		return all, labels
	}
	all, labels := names(strategy.Auto)
	if got := strings.Join(all, " "); got != "auto link-value hmm hmm-soft crf context-graph thematic thematic:Music thematic:<b>Weather" {
		t.Errorf("%q", got)
	}
	if labels["thematic:Music"] != "thematic with the ontology “Music”" {
		t.Errorf("%q", labels["thematic:Music"])
	}
	if all, _ = names("thematic:Music"); len(all) != len(labels) {
		t.Errorf("chosen, it is there twice: %q", all)
	}
	for _, chosen := range []string{"best-first", "naive-bayes:odds", "of an older version"} {
		if all, labels = names(chosen); all[len(all)-1] != chosen || labels[chosen] != chosen+" (chosen earlier)" {
			t.Errorf("%s is not there: %q", chosen, all)
		}
	}
	if _, labels = names("thematic:Go\x07ne"); !strings.Contains(labels["thematic:Go\x07ne"], "“Gone”, which is not there") {
		t.Errorf("%q", labels)
	}
}
