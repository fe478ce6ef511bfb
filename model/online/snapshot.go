package online

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"nightjar/model"
)

// maxSnapshot bounds what a snapshot may hold once it is inflated.
const maxSnapshot = 256 << 20

// ErrSnapshot says that bytes are no snapshot, or one of another kind of learner.
var ErrSnapshot = errors.New("not what a crawl has learned, or damaged")

// Pack returns the stored form of a learner's state: a checksum, then the state, deflated. kind says whose state it is, such
// as the name of the strategy. A state without maps always gives the same bytes.
func Pack(kind string, m *model.Bundle, state any) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, sha256.Size))
	z, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if err := gob.NewEncoder(z).Encode(state); err != nil {
		return nil, fmt.Errorf("pack what was learned: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack what was learned: %w", err)
	}
	sum := checksum(kind, m, b.Bytes()[sha256.Size:])
	copy(b.Bytes(), sum)
	return b.Bytes(), nil
}

// checksum is the checksum of a state and of its model: with another model the numbers of the words would mean other words.
func checksum(kind string, m *model.Bundle, data []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %+v %v %v ", kind, m.Topic, m.Facts, m.Judge.Bias, m.Soft.Bias)
	h.Write(data) // never fails
	return h.Sum(nil)
}

// Unpack reads into state, a pointer, what Pack wrote for the same kind of learner and the same model. For anything else it
// returns ErrSnapshot.
func Unpack(kind string, m *model.Bundle, data []byte, state any) error {
	if len(data) < sha256.Size || !bytes.Equal(data[:sha256.Size], checksum(kind, m, data[sha256.Size:])) {
		return fmt.Errorf("%w: its checksum is wrong", ErrSnapshot)
	}
	z := flate.NewReader(bytes.NewReader(data[sha256.Size:]))
	defer z.Close()
	if err := gob.NewDecoder(io.LimitReader(z, maxSnapshot)).Decode(state); err != nil {
		return fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	return nil
}

type number interface{ ~int | ~uint32 | ~uint64 }

// Pairs is a map as a list, for Pack.
type Pairs[K number, V any] struct {
	Keys   []K
	Values []V
}

// PairsOf returns the pairs of a map, sorted by key.
func PairsOf[K number, V any](m map[K]V) Pairs[K, V] {
	p := Pairs[K, V]{Keys: slices.Sorted(maps.Keys(m)), Values: make([]V, 0, len(m))}
	for _, k := range p.Keys {
		p.Values = append(p.Values, m[k])
	}
	return p
}

// PairsIn returns the pairs of keys, in their order.
func PairsIn[K number, V any](keys *Keys[V]) Pairs[K, V] {
	p := Pairs[K, V]{Keys: make([]K, 0, keys.Len()), Values: make([]V, 0, keys.Len())}
	for k, v := range keys.All() {
		p.Keys, p.Values = append(p.Keys, K(k)), append(p.Values, *v)
	}
	return p
}

// Map is the map again; ErrSnapshot when keys and values do not go together, or are more than most.
func (p Pairs[K, V]) Map(most int) (map[K]V, error) {
	if len(p.Keys) != len(p.Values) || len(p.Keys) > most {
		return nil, fmt.Errorf("%w: a list of the wrong length", ErrSnapshot)
	}
	m := make(map[K]V, len(p.Keys))
	for i, k := range p.Keys {
		m[k] = p.Values[i]
	}
	return m, nil
}

// Into puts the pairs into an empty map; ErrSnapshot when keys and values do not go together, or are more than most.
func (p Pairs[K, V]) Into(k *Keys[V], most int) error {
	if len(p.Keys) != len(p.Values) || len(p.Keys) > most {
		return fmt.Errorf("%w: a list of the wrong length", ErrSnapshot)
	}
	for i, key := range p.Keys {
		k.Set(uint64(key), p.Values[i])
	}
	return nil
}

// JudgeState is what a judge has learned.
type JudgeState struct {
	Fetched []Fetched
	Marked  bool
	Shown   weightsState
	Crawl   weightsState
	Manner  bool // Home and Abroad were fitted
	Home    RegressionState
	Abroad  RegressionState
}

// weightsState are weights; those of the model's own judge are left out, to be read from the model.
type weightsState struct {
	Own   bool
	Words []float32
	Bias  float64
}

// State is what the judge has learned.
func (j *Judge) State() JudgeState {
	s := JudgeState{Fetched: slices.Clone(j.Fetched), Marked: j.marked, Shown: j.stateOf(j.shown), Crawl: j.stateOf(j.crawl)}
	if j.manner.home != nil {
		s.Manner, s.Home, s.Abroad = true, j.manner.home.State(), j.manner.abroad.State()
	}
	return s
}

func (j *Judge) stateOf(w weights) weightsState {
	if len(w.Words) == 0 || &w.Words[0] == &j.calibrated.Weights[0] {
		return weightsState{Own: true}
	}
	return weightsState{Words: w.Words, Bias: w.Bias}
}

// SetState gives the judge what another of the same model has learned; ErrSnapshot when it is of another model.
func (j *Judge) SetState(s JudgeState) error {
	terms := len(j.features.Terms)
	for _, f := range s.Fetched {
		if f.URL == "" {
			return fmt.Errorf("%w: a page without an address", ErrSnapshot)
		}
		if len(f.Row.Index) != len(f.Row.Value) || f.Mark < Unmarked || f.Mark > NotUseful {
			return fmt.Errorf("%w: a page without words", ErrSnapshot)
		}
		for i, t := range f.Row.Index {
			if t < 0 || int(t) >= terms || Infinite(f.Row.Value[i]) {
				return fmt.Errorf("%w: a word that the model lacks", ErrSnapshot)
			}
		}
	}
	shown, err := j.weightsOf(s.Shown)
	if err != nil {
		return err
	}
	crawl, err := j.weightsOf(s.Crawl)
	if err != nil {
		return err
	}
	var m manner
	if s.Manner {
		m = newManner()
		if err := errors.Join(m.home.SetState(s.Home), m.abroad.SetState(s.Abroad)); err != nil {
			return err
		}
	}
	j.Fetched, j.marked, j.shown, j.crawl, j.manner = s.Fetched, s.Marked, shown, crawl, m
	return nil
}

func (j *Judge) weightsOf(s weightsState) (weights, error) {
	if s.Own {
		return weights{j.calibrated.Weights, j.calibrated.Bias}, nil
	}
	if len(s.Words) != len(j.features.Terms) || Infinite(s.Bias) {
		return weights{}, fmt.Errorf("%w: weights of another model", ErrSnapshot)
	}
	if slices.ContainsFunc(s.Words, Infinite[float32]) {
		return weights{}, fmt.Errorf("%w: a weight is not finite", ErrSnapshot)
	}
	return weights{s.Words, s.Bias}, nil
}

// maxTokenWeights is more than the tokens that the examples of a crawl can have.
const maxTokenWeights = 5_000_000

// RegressionState is what a regression has learned.
type RegressionState struct {
	Bias    float64
	Signals []float64
	Tokens  Pairs[uint32, float64]
}

// State is what the regression has learned.
func (r *Regression) State() RegressionState {
	return RegressionState{r.Bias, r.Signals, PairsIn[uint32](&r.weights)}
}

// SetState gives the regression what another with the same signals has learned.
func (r *Regression) SetState(s RegressionState) error {
	if len(s.Signals) != len(r.Prior) || Infinite(s.Bias) ||
		slices.ContainsFunc(s.Signals, Infinite[float64]) || slices.ContainsFunc(s.Tokens.Values, Infinite[float64]) {
		return fmt.Errorf("%w: a regression of other signals", ErrSnapshot)
	}
	var weights Keys[float64]
	if err := s.Tokens.Into(&weights, maxTokenWeights); err != nil {
		return err
	}
	r.Bias, r.Signals, r.weights = s.Bias, slices.Clone(s.Signals), weights
	return nil
}

// Check reports ErrSnapshot unless the example has the given number of signals, all finite.
func (e *Example) Check(signals int) error {
	if len(e.Signals) != signals || slices.ContainsFunc(e.Signals, Infinite[float32]) ||
		!(e.Outcome >= 0 && e.Outcome <= 1 && e.Weight >= 0) || Infinite(e.Weight) {
		return fmt.Errorf("%w: an example of other signals", ErrSnapshot)
	}
	return nil
}

// MeansState is what means have counted.
type MeansState struct {
	All   Mean
	ByKey Pairs[uint64, Mean]
}

// State is what the means have counted.
func (m *Means) State() MeansState { return MeansState{m.All, PairsIn[uint64](&m.byKey)} }

// MeansOf are means again.
func MeansOf(s MeansState) (*Means, error) {
	if s.All.bad() || s.All.N == 0 || slices.ContainsFunc(s.ByKey.Values, Mean.bad) {
		return nil, fmt.Errorf("%w: a mean out of range", ErrSnapshot)
	}
	m := &Means{All: s.All}
	err := s.ByKey.Into(&m.byKey, maxMeans)
	return m, err
}

func (m Mean) bad() bool { return !(m.N >= 0 && m.Sum >= 0 && m.Sum <= m.N*(1+1e-9)) || Infinite(m.N) }

// Infinite reports whether x is infinite or NaN.
func Infinite[F float32 | float64](x F) bool {
	return math.IsNaN(float64(x)) || math.IsInf(float64(x), 0)
}
