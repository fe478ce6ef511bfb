package strategy

import (
	"encoding/binary"
	"math"
)

// note is what linkValue stores with a queued link: what does not change after the link was found.
type note struct {
	holder                        uint64  // key of the page that holds it
	place                         uint64  // key of its place on the pages of that site
	depth                         uint8   // links from the start page
	parent, state, anchor, around float32 // signals
	tokens                        []uint32
}

// noteHead is the length of a note without tokens: a version, holder, place, depth and the signals.
const (
	noteVersion = 1
	noteHead    = 1 + 8 + 8 + 1 + 4*4
	maxTokens   = 200
)

func (n *note) bytes() []byte {
	b := make([]byte, 0, noteHead+4*len(n.tokens))
	b = append(b, noteVersion)
	b = binary.LittleEndian.AppendUint64(b, n.holder)
	b = binary.LittleEndian.AppendUint64(b, n.place)
	b = append(b, n.depth)
	for _, x := range []float32{n.parent, n.state, n.anchor, n.around} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	for _, t := range n.tokens {
		b = binary.LittleEndian.AppendUint32(b, t)
	}
	return b
}

// readNote decodes a note; ok is false if the note is missing or was not written by this program.
func readNote(b []byte) (n note, ok bool) { return readNoteInto(b, nil) }

// readNoteInto is readNote with room for the tokens.
func readNoteInto(b []byte, room []uint32) (n note, ok bool) {
	if len(b) < noteHead || b[0] != noteVersion || (len(b)-noteHead)%4 != 0 || len(b) > noteHead+4*maxTokens {
		return note{}, false
	}
	n.holder, n.place, n.depth = binary.LittleEndian.Uint64(b[1:]), binary.LittleEndian.Uint64(b[9:]), b[17]
	for i, x := range []*float32{&n.parent, &n.state, &n.anchor, &n.around} {
		*x = math.Float32frombits(binary.LittleEndian.Uint32(b[18+4*i:]))
		if !(*x >= -100 && *x <= 100) {
			return note{}, false
		}
	}
	if n.tokens = room[:0]; cap(room) < (len(b)-noteHead)/4 {
		n.tokens = make([]uint32, 0, (len(b)-noteHead)/4)
	}
	for at := noteHead; at < len(b); at += 4 {
		n.tokens = append(n.tokens, binary.LittleEndian.Uint32(b[at:]))
	}
	return n, true
}
