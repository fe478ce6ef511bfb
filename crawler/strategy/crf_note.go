package strategy

import (
	"encoding/binary"
	"math"
	"slices"

	"nightjar/model/crf"
)

// wayNote is what crfStrategy stores with a queued link: the state behind it, before the page is known, the label that is
// likeliest there, and the numbers of the link's features, from which the score can be explained.
type wayNote struct {
	label    uint8
	behind   crf.State
	features []int32 // ascending
}

const (
	wayVersion  = 2   // first byte of a path's state and of a note; alphaVersion is another
	mostLog     = 1e6 // larger differences between logarithms are stored as this
	maxFeatures = 500 // of a link
)

// wayPath is the state of a path: a version, the number of labels, then α and δ as float32.
func wayPath(s crf.State) []byte {
	return appendState(append(make([]byte, 0, 2+8*len(s.Alpha)), wayVersion, uint8(len(s.Alpha))), s)
}

func appendState(b []byte, s crf.State) []byte {
	for _, logs := range [2][]float64{s.Alpha, s.Delta} {
		for _, v := range logs {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(max(v, -mostLog))))
		}
	}
	return b
}

// readWayPath reads a path's state. ok is false if it was not written by this program or has another number of labels.
func readWayPath(b []byte, labels int) (s crf.State, ok bool) {
	if len(b) != 2+8*labels || b[0] != wayVersion || int(b[1]) != labels {
		return crf.State{}, false
	}
	return readState(b[2:], labels)
}

// readState reads a state from the beginning of b, which is long enough. Logarithms of a normalised state are at most 0.
func readState(b []byte, labels int) (s crf.State, ok bool) {
	all := make([]float64, 2*labels)
	for i := range all {
		all[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		if !(all[i] >= -mostLog && all[i] <= 1e-3) {
			return crf.State{}, false
		}
	}
	return crf.State{Alpha: all[:labels], Delta: all[labels:]}, true
}

// bytes is a version, the number of labels, the likeliest label, ᾱ and δ̄, and the gaps between features as varints.
func (n *wayNote) bytes() []byte {
	labels := len(n.behind.Alpha)
	b := append(make([]byte, 0, 3+8*labels+2*len(n.features)), wayVersion, uint8(labels), n.label)
	b = appendState(b, n.behind)
	last := int32(0)
	for _, f := range n.features[:min(len(n.features), maxFeatures)] {
		b = binary.AppendUvarint(b, uint64(f-last))
		last = f
	}
	return b
}

// readWayNote reads a note. ok is false if it is missing, was not written by this program or has another number of labels.
func readWayNote(b []byte, labels int) (n wayNote, ok bool) {
	head := 3 + 8*labels
	if len(b) < head || b[0] != wayVersion || int(b[1]) != labels || int(b[2]) >= labels {
		return wayNote{}, false
	}
	n.label = b[2]
	if n.behind, ok = readState(b[3:], labels); !ok {
		return wayNote{}, false
	}
	last := uint64(0)
	for rest := b[head:]; len(rest) > 0; {
		gap, size := binary.Uvarint(rest)
		if last += gap; size <= 0 || gap > math.MaxInt32 || last > math.MaxInt32 || len(n.features) == maxFeatures {
			return wayNote{}, false
		}
		n.features = append(n.features, int32(last))
		rest = rest[size:]
	}
	return n, len(slices.Compact(slices.Clone(n.features))) == len(n.features)
}
