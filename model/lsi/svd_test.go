package lsi

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"nightjar/model/text"
)

// corpus makes n documents of about length different words each from a vocabulary of m with Zipf frequencies, in topics
// groups that prefer words of their own.
func corpus(rng *rand.Rand, n, m, length, topics int) []text.Counts {
	zipf := rand.NewZipf(rng, 1.1, 3, uint64(m-1))
	docs := make([]text.Counts, n)
	for i := range docs {
		docs[i] = text.Counts{}
		for len(docs[i]) < length {
			w := int(zipf.Uint64())
			if rng.IntN(3) == 0 {
				w = w*topics + i%topics
			}
			docs[i][fmt.Sprintf("w%05d", w)]++
		}
	}
	return docs
}

// matrix weighs the documents as Fit does.
func matrix(docs []text.Counts) *sparse {
	terms, df := vocabulary(docs)
	s := &Space{Terms: terms, IDF: idf(df, len(docs)), N: len(docs)}
	weighted := make([][]entry, len(docs))
	for i, d := range docs {
		weighted[i] = weigh(d, s.lookup(), s.IDF)
	}
	return columns(weighted, len(terms))
}

func BenchmarkWays(b *testing.B) {
	for _, n := range []int{50, 100, 150, 200, 300, 700, 1500, 5000} {
		a := matrix(corpus(rand.New(rand.NewPCG(1, 1)), n, 20000, 200, 12))
		for name, way := range map[string]eigen{"gram": gram, "krylov": krylov} {
			if name == "gram" && n > 700 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					truncateBy(way, a, 0)
				}
			})
		}
	}
}
