package text

import "hash/maphash"

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

var placeSeed = maphash.MakeSeed()

// find returns the place of a word, or -1, and the word's hash.
func (p *places) find(word []byte, words []entry) (at int32, hash uint32) {
	hash = uint32(maphash.Bytes(placeSeed, word))
	if len(p.slots) == 0 {
		return -1, hash
	}
	mask := uint32(len(p.slots) - 1)
	for i := hash & mask; p.slots[i].at > 0; i = (i + 1) & mask {
		if s := p.slots[i]; s.hash == hash && words[s.at-1].written == string(word) {
			return s.at - 1, hash
		}
	}
	return -1, hash
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
