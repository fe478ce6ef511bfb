package strategy

import (
	"encoding/binary"
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

// alphaOf is the α that a path's state holds, nil when it holds none.
func alphaOf(path []byte) []float64 {
	if len(path)%8 != 1 || path[0] != alphaVersion {
		return nil
	}
	alpha := make([]float64, 0, len(path)/8)
	for b := path[1:]; len(b) > 0; b = b[8:] {
		alpha = append(alpha, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return alpha
}
