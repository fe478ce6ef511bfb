package strategy

import "encoding/binary"

// pairNote is a pair's note of a link: what each strategy said of it.
type pairNote struct {
	arms [2]armNote
	path *[]byte // of the second strategy, if it may differ from that of the page of which the link is one
}

type armNote struct {
	priority Priority // when the note was made
	note     []byte
}

// priority puts the priorities together. It cuts the first one to OrderLen elements.
func (n *pairNote) priority() Priority {
	first, second := n.arms[0].priority, n.arms[1].priority
	p := make(Priority, OrderLen, OrderLen+max(1, len(second)))
	copy(p, first)
	if len(second) == 0 {
		second = Priority{0} // so that it is one of two orders
	}
	return append(p, second...)
}

func (n *pairNote) bytes() []byte {
	var parts [][]byte
	for _, a := range n.arms {
		var p []byte
		for _, x := range a.priority {
			p = binary.LittleEndian.AppendUint32(p, uint32(x))
		}
		parts = append(parts, p, a.note)
	}
	if n.path != nil {
		parts = append(parts, *n.path)
	}
	return joinParts(parts...)
}

// readPairNote reads a note. A note that is missing, or that no pair wrote, says nothing.
func readPairNote(b []byte) (n pairNote) {
	parts := cutParts(b)
	switch len(parts) {
	case 4:
	case 5:
		n.path = &parts[4]
	default:
		return pairNote{}
	}
	for k := range n.arms {
		n.arms[k].note = parts[2*k+1]
		for p := parts[2*k]; len(p) >= 4; p = p[4:] {
			n.arms[k].priority = append(n.arms[k].priority, int32(binary.LittleEndian.Uint32(p)))
		}
	}
	return n
}

// notesOf is what each strategy said of a link, with its present priorities and the path of the second one.
func notesOf(h Held) pairNote {
	n := readPairNote(h.Note)
	for k := range n.arms {
		n.arms[k].priority = h.Priority.Of(k)
	}
	if n.path == nil {
		n.path = &readPair(h.Path)[1]
	}
	return n
}

// readPair reads what joinParts made of two parts.
func readPair(b []byte) *[2][]byte {
	if parts := cutParts(b); len(parts) == 2 {
		return (*[2][]byte)(parts)
	}
	return &[2][]byte{}
}

// joinParts puts byte strings together, each after its length.
func joinParts(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
	}
	return b
}

// cutParts is joinParts backwards, nil for bytes that it did not make. The parts share memory with b.
func cutParts(b []byte) (parts [][]byte) {
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			return nil
		}
		end := size + int(n)
		parts = append(parts, b[size:end:end])
		b = b[end:]
	}
	return parts
}
