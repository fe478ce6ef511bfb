package text

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// places finds the places of words in a list: a map's answers in less time, and the list holds the words.
type places struct {
	slots []place // a power of two, at most half of them taken
	taken int
}

// place is the place of a word, plus 1, and the hash of the word.
type place struct {
	hash uint32
	at   int32
}

// key is what a word is looked up by.
type key struct {
	bits uint64 // the word itself when it is short, else a hash of it
	hash uint32
}

// short is up to how many bytes a word is its own key: most words of a text are compared without reading them elsewhere in memory.
const short = 8

// Nobody who writes pages knows the seeds, so that no page can hold words of one hash.
var (
	placeSeed = maphash.MakeSeed()
	mixSeed   = maphash.String(placeSeed, "short words")
)

// keyOf is the key of a word. Two short words have the same bits only if they are the same, as no word holds a zero byte.
func keyOf(word []byte) key {
	n := len(word)
	if n > short {
		h := maphash.Bytes(placeSeed, word)
		return key{h, uint32(h)}
	}
	var k uint64
	if cap(word) >= short {
		k = binary.LittleEndian.Uint64(word[:short]) & (1<<(8*n) - 1)
	} else {
		for i := n - 1; i >= 0; i-- {
			k = k<<8 | uint64(word[i])
		}
	}
	high, low := bits.Mul64(k^mixSeed, 0x9e3779b97f4a7c15)
	return key{k, uint32(high ^ low)}
}

// find returns the place of a word, or -1.
func (p *places) find(k key, word []byte, words []entry) (at int32) {
	if len(p.slots) == 0 {
		return -1
	}
	mask := uint32(len(p.slots) - 1)
	for i := k.hash & mask; p.slots[i].at > 0; i = (i + 1) & mask {
		s := p.slots[i]
		if s.hash != k.hash {
			continue
		}
		e := &words[s.at-1]
		if e.key == k.bits && len(e.written) == len(word) && (len(word) <= short || e.written == string(word)) {
			return s.at - 1
		}
	}
	return -1
}

// add adds the place of a word that find did not find.
func (p *places) add(hash uint32, at int32) {
	if 2*(p.taken+1) > len(p.slots) {
		old := p.slots
		p.slots = make([]place, max(64, 2*len(old)))
		for _, s := range old {
			if s.at > 0 {
				p.put(s)
			}
		}
	}
	p.put(place{hash, at + 1})
	p.taken++
}

// put puts a place into the first free slot from that of its hash on.
func (p *places) put(s place) {
	mask := uint32(len(p.slots) - 1)
	i := s.hash & mask
	for p.slots[i].at > 0 {
		i = (i + 1) & mask
	}
	p.slots[i] = s
}

func (p *places) clear() {
	clear(p.slots)
	p.taken = 0
}
