package logistic

import (
	"context"
	"errors"
	"math"
	"testing"
)

func TestNoRows(t *testing.T) {
	p := NewProblem([]Row{{}, {}}, 3)
	if _, err := p.Fit(context.Background(), nil, nil, nil, 2, Options{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
	if _, err := p.Fit(context.Background(), []int{0, 1}, []int{0, 1}, []float64{0, 0}, 2, Options{}); !errors.Is(err, ErrNoRows) {
		t.Errorf("no weight: %v", err)
	}
}

func TestDegenerate(t *testing.T) {
	x := Row{Index: []int32{0, 2}, Value: []float32{1, 2}}
	huge := func(sign float32) Row { return Row{Index: []int32{0, 1}, Value: []float32{sign * 1e18, 3e18}} }
	for name, c := range map[string]struct {
		rows    []Row
		label   []int
		weight  []float64
		classes int
		ask     Row
		want    []float64
	}{
		"one class of two":         {[]Row{x, x, {}}, []int{1, 1, 1}, nil, 2, x, []float64{0, 1}},
		"the other class of two":   {[]Row{x, x, {}}, []int{0, 0, 0}, nil, 2, x, []float64{1, 0}},
		"one class of four":        {[]Row{x, {}}, []int{2, 2}, nil, 4, x, []float64{0, 0, 1, 0}},
		"a class of weight 0":      {[]Row{x, x, x}, []int{0, 1, 2}, []float64{1, 1, 0}, 3, x, []float64{0.5, 0.5, 0}},
		"a class without rows":     {[]Row{x, x, x}, []int{3, 1, 1}, nil, 4, x, []float64{0, 2. / 3, 0, 1. / 3}},
		"empty rows":               {[]Row{{}, {}, {}, {}}, []int{0, 1, 1, 1}, nil, 2, x, []float64{0.25, 0.75}},
		"empty rows, many classes": {[]Row{{}, {}, {}, {}}, []int{0, 1, 1, 2}, nil, 3, x, []float64{0.25, 0.5, 0.25}},
		"the same row everywhere":  {[]Row{x, x, x, x, x}, []int{0, 0, 1, 0, 0}, nil, 2, x, []float64{0.8, 0.2}},
		"same row, weights":        {[]Row{x, x, x}, []int{0, 1, 2}, []float64{1, 6, 3}, 3, x, []float64{0.1, 0.6, 0.3}},
		"huge values":              {[]Row{huge(1), huge(-1)}, []int{0, 1}, nil, 2, huge(1), []float64{1, 0}},
		"huge weights":             {[]Row{x, x, {}}, []int{0, 1, 1}, []float64{1e9, 3e9, 1e-9}, 2, x, []float64{0.25, 0.75}},
	} {
		t.Run(name, func(t *testing.T) {
			const absTol = 1e-5
			if c.weight == nil {
				c.weight = ones(len(c.rows))
			}
			m := mustFit(t, NewProblem(c.rows, 3), upTo(len(c.rows)), c.label, c.weight, c.classes, Options{})
			for i, p := range m.Probabilities(c.ask) {
				if !(math.Abs(p-c.want[i]) <= absTol) {
					t.Errorf("P(%d) = %v, want %v", i, p, c.want[i])
				}
			}
		})
	}
}

func TestNotFinite(t *testing.T) {
	for name, value := range map[string]float64{"NaN": math.NaN(), "infinity": math.Inf(1)} {
		rows := []Row{{Index: []int32{0}, Value: []float32{float32(value)}}, {}}
		if _, err := NewProblem(rows, 1).Fit(context.Background(), upTo(2), upTo(2), ones(2), 2, Options{}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("row with %s: %v", name, err)
		}
		if _, err := NewProblem(rows, 1).Fit(context.Background(), []int{1, 1}, upTo(2), []float64{1, value}, 2, Options{}); !errors.Is(err, ErrNotFinite) {
			t.Errorf("weight %s: %v", name, err)
		}
		mustFit(t, NewProblem(rows, 1), []int{1, 1}, upTo(2), ones(2), 2, Options{}) // the bad row is not used
	}
}
