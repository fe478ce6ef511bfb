package online

import "math"

// maxMeans bounds the keys of one Means; beyond them new keys are not counted. 100,000 take about 5 MB.
const maxMeans = 100_000

// pull is the number of average outcomes that every mean starts with, so that the first links of a folder do not decide
// alone.
const pull = 3

// Mean is a running mean.
type Mean struct {
	N   float64
	Sum float64
}

// Means are running means of outcomes in [0, 1] by key, such as the hash of a folder.
type Means struct {
	All   Mean // over all keys
	byKey Keys[Mean]
}

// NewMeans returns means that start as if two outcomes of 0.1 had been counted.
func NewMeans() *Means { return &Means{All: Mean{2, .2}} }

// Add counts an outcome for a key.
func (m *Means) Add(key uint64, outcome float64) {
	m.All.N++
	m.All.Sum += outcome
	at, known := m.byKey.Get(key)
	if !known && m.byKey.Len() >= maxMeans {
		return
	}
	m.byKey.Set(key, Mean{at.N + 1, at.Sum + outcome})
}

// Usual returns the mean over all keys.
func (m *Means) Usual() float64 { return m.All.Sum / m.All.N }

// N returns the number of outcomes of a key.
func (m *Means) N(key uint64) float64 {
	at, _ := m.byKey.Get(key)
	return at.N
}

// LogOdds returns the log odds of a key's mean, shrunk towards the mean over all keys, less the log odds of that mean. It is
// 0 for a key without outcomes.
func (m *Means) LogOdds(key uint64) float64 {
	usual := m.Usual()
	at, _ := m.byKey.Get(key)
	return LogOdds((at.Sum+pull*usual)/(at.N+pull)) - LogOdds(usual)
}

// LogOdds is ln p/(1-p), with p kept within [0.0001, 0.9999].
func LogOdds(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

// Probability is that of log odds.
func Probability(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }
