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
