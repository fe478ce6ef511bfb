package strategy

import (
	"encoding/binary"
	"fmt"
	"slices"

	"nightjar/model/online"
)

// word is a mark in the terms of a judge.
func word(m Mark) online.Mark {
	switch {
	case m.Gone:
		return online.Unmarked
	case m.Useful:
		return online.Useful
	}
	return online.NotUseful
}

// pack makes a snapshot.
func (r reader) pack(state any) []byte {
	data, err := online.Pack(r.name, r.bundle, state)
	if err != nil {
		panic(err) // a bug: all states can be packed
	}
	return data
}

// restore hands the state in a snapshot of this strategy and model to use. Its error is online.ErrSnapshot or that of use.
func restore[S any](r reader, snapshot []byte, use func(*S) error) error {
	var state S
	err := online.Unpack(r.name, r.bundle, snapshot, &state)
	if err == nil {
		err = use(&state)
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", r.name, err)
	}
	return nil
}

// pageNote holds the page of a link and the value of that page's links. The page is given by the hash of its address: a crawl
// that continues after a crash may have forgotten its number.
func pageNote(url string, p Priority) []byte {
	b := binary.LittleEndian.AppendUint64(nil, online.Key(url))
	for _, x := range p {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func readPageNote(note []byte) (holder uint64, p Priority, ok bool) {
	if len(note) < 8 || len(note)%4 != 0 {
		return 0, nil, false
	}
	for b := note[8:]; len(b) > 0; b = b[4:] {
		p = append(p, int32(binary.LittleEndian.Uint32(b)))
	}
	return binary.LittleEndian.Uint64(note), p, true
}

// sameNote gives each of a page's links the same note. All links share one slice, which must not be changed.
func sameNote(v Visit, note []byte) [][]byte {
	return slices.Repeat([][]byte{slices.Clip(note)}, len(v.Page.Links))
}
