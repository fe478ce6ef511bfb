package online

import (
	"math"
	"slices"

	"nightjar/model"
	"nightjar/model/logistic"
)

// Pack packs the state of the judge for ReadJudge. A page of the crawl is packed once: nothing about it changes but its mark. The
// pages are of Page or ReadJudge; those of State lack what is packed.
func (j *Judge) Pack(o *Out) {
	o.Int(len(j.Fetched))
	for i := range j.Fetched {
		f := &j.Fetched[i]
		if f.packed == nil {
			f.pack()
		}
		o.B = append(append(o.B, f.packed...), byte(f.Mark))
	}
	o.Bool(j.marked)
	for _, w := range [...]weights{j.shown, j.crawl} {
		j.stateOf(w).pack(o)
	}
	if o.Bool(j.manner.home != nil); j.manner.home != nil {
		j.manner.home.Pack(o)
		j.manner.abroad.Pack(o)
	}
}

// ReadJudge reads the state of a judge of the same model.
func (j *Judge) ReadJudge(in *In) (s JudgeState) {
	s.Fetched = make([]Fetched, in.Len(maxFetched, leastPage))
	for i := range s.Fetched {
		s.Fetched[i] = j.readFetched(in)
	}
	s.Marked = in.Bool()
	s.Shown, s.Crawl = j.readWeights(in), j.readWeights(in)
	if s.Manner = in.Bool(); s.Manner {
		s.Home, s.Abroad = readRegression(in), readRegression(in)
	}
	return s
}

// pack packs a page but for its mark.
func (f *Fetched) pack() {
	var o Out
	o.Text(f.URL)
	o.tokens(f.Title)
	if o.Bool(f.Address != nil); f.Address != nil {
		o.tokens(f.Address)
	}
	o.row(f.count)
	f.packed, f.count = slices.Clip(o.B), nil
}

// leastPage is the length of the shortest page with its mark.
const leastPage = 6

func (j *Judge) readFetched(in *In) (f Fetched) {
	whole := in.b
	f.URL = in.Text()
	f.Title = in.tokens()
	if in.Bool() {
		f.Address = in.tokens()
	}
	f.Row = in.row(j.features)
	f.packed = slices.Clone(whole[:len(whole)-len(in.b)])
	f.Mark = Mark(in.Int(math.MaxInt8))
	return f
}

func (o *Out) tokens(list []uint32) {
	o.Int(len(list))
	for _, t := range list {
		o.Word32(t)
	}
}

// tokens reads a list of tokens, nil when it is empty.
func (in *In) tokens() []uint32 {
	n := in.Len(len(in.b), 4)
	if n == 0 {
		return nil
	}
	list := make([]uint32, n)
	for i := range list {
		list[i] = in.Word32()
	}
	return list
}

// row packs how often a page has each of its words, most of them once, before Largest took some.
func (o *Out) row(count *model.Words) {
	last := -1
	o.Int(0) // the form of what follows
	o.Int(len(count.Index))
	for i, t := range count.Index {
		gap, n := int(t)-last-1, int(count.Count[i])
		last = int(t)
		if n == 1 {
			o.Int(gap << 1)
			continue
		}
		o.Int(gap<<1 | 1)
		o.Int(n)
	}
}

// row reads a row. The values of the words are computed as they were for the page, so that they are the same numbers.
func (in *In) row(f *model.Features) logistic.Row {
	in.Int(0)
	terms := len(f.Terms)
	n, last := in.Len(terms, 1), -1
	w := model.Words{Index: make([]int32, n), Count: make([]int32, n)}
	for i := range n {
		x := in.Int(2*terms + 1)
		last += x>>1 + 1
		if w.Index[i], w.Count[i] = int32(last), 1; x&1 == 1 {
			w.Count[i] = int32(in.Int(math.MaxInt32))
		}
	}
	if last >= terms || slices.Contains(w.Count, 0) {
		in.fail()
		return logistic.Row{}
	}
	r := f.Row(w)
	r.Index, r.Value = Largest(r.Index, r.Value, maxWords)
	return r
}

func (s weightsState) pack(o *Out) {
	if o.Bool(s.Own); s.Own {
		return
	}
	for _, w := range s.Words {
		o.Float32(w)
	}
	o.Float(s.Bias)
}

func (j *Judge) readWeights(in *In) (s weightsState) {
	if s.Own = in.Bool(); s.Own {
		return s
	}
	if 4*len(j.features.Terms) > len(in.b) {
		in.fail()
		return s
	}
	s.Words = make([]float32, len(j.features.Terms))
	for i := range s.Words {
		s.Words[i] = in.Float32()
	}
	s.Bias = in.Float()
	return s
}

// Pack packs the state of the regression for ReadRegression.
func (r *Regression) Pack(o *Out) {
	o.Float(r.Bias)
	o.Int(len(r.Signals))
	for _, w := range r.Signals {
		o.Float(w)
	}
	o.Int(len(r.tokens))
	for _, t := range r.tokens {
		o.Word32(t)
		o.Float(r.Weight(t))
	}
}

func readRegression(in *In) (s RegressionState) {
	s.Bias = in.Float()
	s.Signals = make([]float64, in.Len(len(in.b), 8))
	for i := range s.Signals {
		s.Signals[i] = in.Float()
	}
	n := in.Len(maxTokenWeights, 12)
	s.Tokens = Pairs[uint32, float64]{make([]uint32, n), make([]float64, n)}
	for i := range n {
		s.Tokens.Keys[i], s.Tokens.Values[i] = in.Word32(), in.Float()
	}
	return s
}

// ReadRegression reads the state of a regression.
func ReadRegression(in *In) RegressionState { return readRegression(in) }

// Pack packs the means for ReadMeans.
func (m *Means) Pack(o *Out) {
	o.Float(m.All.N)
	o.Float(m.All.Sum)
	PackKeys(o, &m.byKey, func(o *Out, x *Mean) {
		o.Float(x.N)
		o.Float(x.Sum)
	})
}

// ReadMeans reads means.
func ReadMeans(in *In) (s MeansState) {
	s.All = readMean(in)
	s.ByKey = ReadKeys(in, maxMeans, 16, readMean)
	return s
}

func readMean(in *In) Mean { return Mean{in.Float(), in.Float()} }

// PackKeys packs a map for ReadKeys.
func PackKeys[V any](o *Out, k *Keys[V], pack func(*Out, *V)) {
	o.Int(k.Len())
	for key, v := range k.All() {
		o.Word64(key)
		pack(o, v)
	}
}

// ReadKeys reads a map of at most `most` keys, whose values take at least `bytes` bytes each.
func ReadKeys[V any](in *In, most, bytes int, read func(*In) V) (p Pairs[uint64, V]) {
	n := in.Len(most, 8+bytes)
	p = Pairs[uint64, V]{make([]uint64, n), make([]V, n)}
	for i := range n {
		p.Keys[i], p.Values[i] = in.Word64(), read(in)
	}
	return p
}

// Pack packs the remembered tokens for ReadTokens. They are packed once, when they are met.
func (v *Vocabulary) Pack(o *Out) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	o.Int(v.names.Len())
	o.B = append(o.B, v.packed...)
}

// ReadTokens reads remembered tokens.
func ReadTokens(in *In) (p Pairs[uint32, Token]) {
	n := in.Len(maxNames, 2)
	p = Pairs[uint32, Token]{make([]uint32, n), make([]Token, n)}
	for i := range n {
		t := Token{Field(in.Int(math.MaxUint8)), in.Text()}
		p.Keys[i], p.Values[i] = hash32(t.Field, t.Text), t
	}
	return p
}

// PackTokens packs a list of tokens: those that are remembered by their number, in two bytes or three.
func (v *Vocabulary) PackTokens(o *Out, list []uint32) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	o.Int(len(list))
	for _, t := range list {
		at := v.names.Place(uint64(t))
		if o.Int(at + 1); at < 0 {
			o.Word32(t)
		}
	}
}

// ReadTokenList reads a list of tokens, given those that were remembered.
func ReadTokenList(in *In, most int, names Pairs[uint32, Token]) []uint32 {
	list := make([]uint32, in.Len(most, 1))
	for i := range list {
		if at := in.Int(len(names.Keys)); at > 0 {
			list[i] = names.Keys[at-1]
		} else {
			list[i] = in.Word32()
		}
	}
	return list
}
