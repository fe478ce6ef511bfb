package strategy

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// alphaVersion is the first byte of a path's state that holds α, the distribution over the states of a hidden Markov model.
const alphaVersion = 1

// pathOf encodes α as the state of a path, without loss.
func pathOf(alpha []float64) []byte {
	b := append(make([]byte, 0, 1+8*len(alpha)), alphaVersion)
	for _, p := range alpha {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p))
	}
	return b
}

// alphaOf is the α that a path's state holds, nil when it holds none. Crawls that began before the state of a path was a
// strategy's own stored it as JSON.
func alphaOf(path []byte) []float64 {
	switch {
	case len(path) == 0:
		return nil
	case path[0] == '{':
		var stored struct {
			Alpha []float64 `json:"alpha"`
		}
		if json.Unmarshal(path, &stored) != nil {
			return nil
		}
		return stored.Alpha
	case path[0] != alphaVersion || len(path)%8 != 1:
		return nil
	}
	alpha := make([]float64, 0, len(path)/8)
	for b := path[1:]; len(b) > 0; b = b[8:] {
		alpha = append(alpha, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return alpha
}
