package neardup

import (
	"math/bits"
	"slices"
	"sync"

	"nightjar/crawler/weburl"
)

// NearBits is how many of the 64 bits of two simhashes may differ for the texts to count as the same (Manku, Jain and
// Das Sarma, Detecting Near-Duplicates for Web Crawling, WWW 2007, section 4).
const NearBits = 3

// maxSketch is the number of words of a text that NewSketch reads.
const maxSketch = 4000

// Sketch is what near-duplicate texts have in common. The zero value is for a page without text.
type Sketch struct {
	Simhash  uint64   // of the words (Charikar 2002), 0 if there are none; see NewSketch
	Words    int      // read, at most 4,000
	Shingles []uint64 // hashes of each three words in a row, digits folded, without those with a word of the address
	Numbers  []uint64 // hashes of each NumbersInRow numbers of a page of mostly numbers, nil for any other page
}

// SameText reports whether two simhashes are of equal or near-duplicate texts. A missing text equals nothing.
func SameText(a, b uint64) bool {
	return a != 0 && b != 0 && bits.OnesCount64(a^b) <= NearBits
}

// NewSketch reads the text of the page at url. On a page of mostly numbers, pairs of numbers stand in the simhash for the numbers
// (values.go). In scripts without spaces between words, each character is a word. Shingles
// with a word of the address are left out, because pages generated for any address repeat it.
func NewSketch(url, text string) Sketch {
	k := sketchers.Get().(*sketcher)
	defer sketchers.Put(k)
	k.reset()
	EachWord(weburl.Unescape(url), func(_, folded uint64) bool {
		if folded != Number {
			k.echo = append(k.echo, folded)
		}
		return true
	})
	EachWord(text, k.add)
	k.values(text)
	s := Sketch{Simhash: k.votes.majority(), Words: k.count}
	if s.Words > 0 && s.Simhash == 0 {
		s.Simhash = 1
	}
	if len(k.shingles) > 0 {
		s.Shingles = slices.Clone(k.shingles)
	}
	if len(k.numbers) > 0 {
		s.Numbers = slices.Clone(k.numbers)
	}
	return s
}

// sketcher reads the words of one text.
type sketcher struct {
	count    int // words
	named    int // of them, those without digits
	voted    map[uint64]struct{}
	votes    votes
	shingles []uint64
	numbers  []uint64  // shingles of numbers
	pairs    []uint64  // hashes of each two numbers in a row
	echo     []uint64  // words of the address
	before   [2]uint64 // the last two words
	since    int       // words since the last echo
}

// sketchers are sketchers to use again, because of their size.
var sketchers = sync.Pool{New: func() any { return &sketcher{voted: map[uint64]struct{}{}} }}

func (k *sketcher) reset() {
	k.count, k.named, k.since = 0, 0, 0
	k.votes = votes{}
	clear(k.voted)
	k.shingles, k.numbers, k.pairs, k.echo = k.shingles[:0], k.numbers[:0], k.pairs[:0], k.echo[:0]
}

// add reads the next word of the text. It returns false when it has read enough.
func (k *sketcher) add(word, folded uint64) bool {
	k.vote(word)
	k.count++
	if !hasDigits(word, folded) {
		k.named++
	}
	if k.since++; slices.Contains(k.echo, folded) {
		k.since = 0
	}
	if k.since > 2 {
		k.shingles = append(k.shingles, mix(k.before[0]*3+k.before[1]*5+folded))
	}
	k.before[0], k.before[1] = k.before[1], folded
	return k.count < maxSketch
}

// vote gives each distinct word one vote per bit. With a vote for each occurrence, the few words that make up half of any English
// text would decide, and all long texts would be alike.
func (k *sketcher) vote(word uint64) {
	if _, voted := k.voted[word]; !voted {
		k.voted[word] = struct{}{}
		k.votes.add(word)
	}
}

// votes counts for each of 64 bits how many words have it, all bits at once: digit d of the 64 counts, in binary, is in
// digits[d].
type votes struct {
	n      int // words
	digits [12]uint64
}

func (v *votes) add(word uint64) {
	v.n++
	for d := 0; word != 0; d++ { // word holds what is carried to the next digit
		v.digits[d], word = v.digits[d]^word, v.digits[d]&word
	}
}

// majority has the bits that more than half of the words have.
func (v *votes) majority() (bits uint64) {
	for i := range 64 {
		count := 0
		for d, digit := range v.digits {
			count += int(digit>>i&1) << d
		}
		if 2*count > v.n {
			bits |= 1 << i
		}
	}
	return bits
}
