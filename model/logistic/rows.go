package logistic

import (
	"context"
	"math"
	"sync/atomic"
)

// Row is one sparse document: terms strictly ascending, len(Index) == len(Value). A row without terms is a document of
// which only the bias speaks.
type Row struct {
	Index []int32
	Value []float32
}

// Problem holds rows prepared once, so that many fits on subsets of them are cheap. It keeps the rows and never changes
// them. Its methods may be called at the same time.
type Problem struct {
	rows    []Row
	columns int
	norm    []float64 // Euclidean length of each row; NaN or +Inf when the row holds such a value

	span  *lazy[span]
	whole *lazy[matrix] // of all rows
}

// NewProblem prepares rows whose terms are in [0, columns). It panics when a row breaks what Row says.
func NewProblem(rows []Row, columns int) *Problem {
	p := &Problem{
		rows: rows, columns: columns, norm: make([]float64, len(rows)), span: newLazy[span](), whole: newLazy[matrix](),
	}
	for i, r := range rows {
		if len(r.Index) != len(r.Value) {
			panic("logistic: row with a different number of terms and values")
		}
		last, squares := int32(-1), 0.0
		for e, t := range r.Index {
			if t <= last || int(t) >= columns {
				panic("logistic: row terms not ascending in [0, columns)")
			}
			last = t
			squares += float64(r.Value[e]) * float64(r.Value[e])
		}
		p.norm[i] = math.Sqrt(squares)
	}
	return p
}

// lazy is a value that the first who needs it computes. The others wait, as long as their ctx lasts.
type lazy[T any] struct {
	building chan struct{} // held by who computes
	value    atomic.Pointer[T]
}

func newLazy[T any]() *lazy[T] { return &lazy[T]{building: make(chan struct{}, 1)} }

// get gives the value. When compute fails, the next to ask tries again.
func (l *lazy[T]) get(ctx context.Context, compute func() (*T, error)) (*T, error) {
	if v := l.value.Load(); v != nil {
		return v, nil
	}
	select {
	case l.building <- struct{}{}:
		defer func() { <-l.building }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if v := l.value.Load(); v != nil {
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return nil, err
	}
	l.value.Store(v)
	return v, nil
}
