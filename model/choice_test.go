package model

import (
	"slices"
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

// TestMarksKeepTheJudge: once finds are marked, similarity decides only if it is better by more than chance.
func TestMarksKeepTheJudge(t *testing.T) {
	useful := make([]bool, 40)
	almost, wrong := make([]float64, len(useful)), make([]float64, len(useful))
	for i := range useful {
		useful[i] = i%3 == 0
		if wrong[i] = float64(i % 4); useful[i] {
			almost[i] = 1
		}
	}
	exact := slices.Clone(almost)
	almost[1] = 2
	for _, c := range []struct {
		cosines, said []float64
		marked        bool
		want          string
	}{
		{exact, almost, false, RelevantByCosine},
		{exact, almost, true, RelevantByJudge},
		{exact, wrong, true, RelevantByCosine},
		{almost, exact, true, RelevantByJudge},
	} {
		if got := choose(c.cosines, c.said, useful, c.marked); got.Relevance != c.want {
			t.Errorf("marked %v: %+v, want %s", c.marked, got, c.want)
		}
	}
}
