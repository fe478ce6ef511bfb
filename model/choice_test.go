package model

import (
	"strings"
	"testing"

	"nightjar/model/measure"
)

// TestJudgeVerdict: a model that is right nearly always is not said to make mistakes, however wide the interval.
func TestJudgeVerdict(t *testing.T) {
	for value, want := range map[float64]string{
		1:  "It tells useful pages from others: of a useful and another page it prefers the useful one 100 times in 100.",
		.9: "It tells useful pages from others, with mistakes: of a useful and another page it prefers the useful one 90 times in 100.",
	} {
		r := &Report{Choice: defaultChoice(), AUC: AUC{Cosine: measure.Figure{Value: value, Low: .6, High: 1, N: 8}}}
		if got := judgeVerdict(r); !strings.HasPrefix(got, want) {
			t.Errorf("%.2f: %q, want %q", value, got, want)
		}
	}
}

// TestTrainChooses: a model says before it has a report by which test it calls pages relevant, and chooses as the report does.
func TestTrainChooses(t *testing.T) {
	b, r := mustAssess(t, linked(session(80, 1), 1))
	if !b.Choice.Measured || b.Choice.Relevance != r.Choice.Relevance {
		t.Errorf("the training chooses %+v, its report %+v", b.Choice, r.Choice)
	}
	if again, err := Decode(mustEncode(t, b)); err != nil || again.Choice != b.Choice {
		t.Errorf("stored and read, the model is %+v, %v", again, err)
	}
	few := session(40, 2)
	for i, left := 0, measure.EnoughUseful-1; i < len(few.Pages); i++ {
		if few.Pages[i].Target = few.Pages[i].Target && left > 0; few.Pages[i].Target {
			left--
		}
	}
	if b := mustTrain(t, few, DefaultSettings()); b.Choice != defaultChoice() {
		t.Errorf("with few useful pages the choice is %+v", b.Choice)
	}
}
