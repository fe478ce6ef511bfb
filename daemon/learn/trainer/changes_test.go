package trainer

import (
	"reflect"
	"slices"
	"testing"

	"nightjar/daemon/learn/models"
	"nightjar/model"
	"nightjar/model/measure"
)

// known returns a version of five pages, with words typical of useful pages. useful holds the useful pages.
func known(facts models.Facts, judge float64, words []string, useful map[string]bool) version {
	b := &model.Bundle{Judge: model.Judge{Threshold: judge}, Clusters: make([]model.Cluster, 2)}
	for _, w := range words {
		b.Clusters[0].LogOdds = append(b.Clusters[0].LogOdds, model.Word{Word: w})
	}
	for _, url := range []string{"u1", "u2", "u3", "u4", "u5"} {
		title := "Page " + url
		if url == "u5" {
			title = ""
		}
		b.Pages = append(b.Pages, model.PageFact{URL: url, Title: title, Target: useful[url]})
	}
	return version{b, facts}
}

func TestCompare(t *testing.T) {
	first := known(models.Facts{Facts: model.Facts{Pages: 8, Targets: 2, Edges: 7, Terms: 90, Rank: 5, Clusters: 3}, Gamma: 0.70, Sessions: []string{"a"}},
		0.5, []string{"puck", "ice"}, map[string]bool{"u1": true})
	second := known(models.Facts{Facts: model.Facts{Pages: 14, Targets: 1, Edges: 7, Terms: 90, Rank: 6, Clusters: 3, Rejected: 1, Background: 40}, Gamma: 0.62, Sessions: []string{"a", "b"}},
		0.5004, []string{"ice", "goal"}, map[string]bool{"u1": true, "u2": true, "u5": true})
	tests := []struct {
		name    string
		was, is version
		words   []string
		numbers []models.Change
	}{
		{"nothing", first, first, []string{"no change that can be measured"}, nil},
		{"much", first, second, []string{
			"2 sessions, 1 more than before", "14 pages, 6 more than before", "1 useful page, 1 fewer than before",
			"1 page marked Not useful, 1 more than before", "6 dimensions, 1 more than before", "40 background pages, 40 more than before",
			"the threshold γ is 0.62, was 0.70", "now useful: “Page u2”, “u5”",
			"new typical words of useful pages: goal", "no longer typical: puck",
		}, []models.Change{
			{What: "sessions", Was: 1, Is: 2}, {What: "pages", Was: 8, Is: 14}, {What: "useful pages", Was: 2, Is: 1},
			{What: "pages marked Not useful", Was: 0, Is: 1}, {What: "dimensions", Was: 5, Is: 6}, {What: "background pages", Was: 0, Is: 40},
			{What: "threshold γ", Was: 0.70, Is: 0.62}, {What: "threshold of the judge", Was: 0.5, Is: 0.5004},
		}},
		{"a version that cannot be read", version{nil, first.facts}, version{second.bundle, first.facts}, []string{"no change that can be measured"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words, numbers := compare(tt.was, tt.is)
			if !reflect.DeepEqual(words, tt.words) {
				t.Errorf("words %q\nwant  %q", words, tt.words)
			}
			if !reflect.DeepEqual(numbers, tt.numbers) {
				t.Errorf("numbers %v\nwant    %v", numbers, tt.numbers)
			}
		})
	}
	none := known(models.Facts{}, 0, nil, nil)
	all := known(models.Facts{}, 0, nil, map[string]bool{"u1": true, "u2": true, "u3": true, "u4": true, "u5": true})
	if words, _ := compare(none, all); !reflect.DeepEqual(words, []string{"now useful: “Page u1”, “Page u2”, “Page u3”, 2 more"}) {
		t.Errorf("many pages: %q", words)
	}
}

func TestCompareReports(t *testing.T) {
	was := &model.Report{LinkMRR: measure.Figure{Value: 0.4, N: 9}, Brier: measure.Figure{Value: 0.2, N: 5}, HopAgreement: measure.Figure{Value: 0.5, N: 4}}
	is := &model.Report{LinkMRR: measure.Figure{Value: 0.55, N: 12}, Brier: measure.Figure{Value: 0.2001, N: 5}} // hops were not measured
	words, numbers := compareReports(was, is)
	if want := []string{"the mean reciprocal rank of the right link is 0.55, was 0.40"}; !reflect.DeepEqual(words, want) {
		t.Errorf("words %q, want %q", words, want)
	}
	if len(numbers) != 2 || numbers[0] != (models.Change{What: "mean reciprocal rank of the right link", Was: 0.4, Is: 0.55}) {
		t.Errorf("numbers %v", numbers)
	}
	if words, numbers := compareReports(nil, is); words != nil || numbers != nil {
		t.Errorf("without a report before: %v, %v", words, numbers)
	}
}

// TestShown: what makes a page a find is said with both numbers and what follows.
func TestShown(t *testing.T) {
	rule := func(by string, judge, gamma float64) *model.Bundle {
		return &model.Bundle{Choice: model.Choice{Relevance: by}, Judge: model.Judge{Threshold: judge}, Gamma: model.GammaFact{Value: gamma}}
	}
	judge, cosine := model.RelevantByJudge, model.RelevantByCosine
	for _, c := range []struct {
		was, is *model.Bundle
		says    string
		lot     bool
	}{
		{rule(judge, .54, .7), rule(judge, .27, .7), "a page is a find now if it is at least 27 % likely useful; before, if it was at least 54 % likely useful: expect more finds", true},
		{rule(cosine, .5, .70), rule(cosine, .9, .75), "a page is a find now if it is at least 75 % similar to a useful page; before, if it was at least 70 % similar to a useful page: expect fewer finds", false},
		{rule(cosine, .5, .7), rule(judge, .5, .7), "a page is a find now if it is at least 50 % likely useful; before, if it was at least 70 % similar to a useful page: expect other finds than before", true},
		{rule(judge, .54, .7), rule(judge, .541, .3), "", false},
		{nil, rule(judge, .5, .7), "", false},
	} {
		if says, lot := shown(c.was, c.is); says != c.says || lot != c.lot {
			t.Errorf("%q, a lot = %v; want %q, %v", says, lot, c.says, c.lot)
		}
		facts := models.Facts{}
		if compareWith(&facts, version{bundle: c.was}, c.is); (facts.Shown != "") != c.lot || c.says != "" && !slices.Contains(facts.Changes, c.says) {
			t.Errorf("%q beside finds, changes %q", facts.Shown, facts.Changes)
		}
	}
	three, four := &model.Bundle{}, &model.Bundle{}
	three.Settings.States, four.Settings.States = 3, 4
	if words, _ := compare(version{bundle: three}, version{bundle: four}); !slices.Contains(words, "4 hidden states, 1 more than before") {
		t.Errorf("states: %q", words)
	}
}
