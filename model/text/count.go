package text

// Counts holds how often each stem occurs in a text: stem -> occurrences, all at least 1.
type Counts map[string]int

// Count counts the stems of s. surface gives for each stem the word most often written for it (the first in the
// alphabet of those written equally often), so that people see words and not stems.
func Count(s string) (counts Counts, surface map[string]string) {
	counts = make(Counts)
	surface = make(map[string]string)
	best := make(map[string]int)
	for _, w := range written(s) {
		stem := Stem(w.word)
		if stem == "" {
			continue
		}
		counts[stem] += w.count
		if n := best[stem]; w.count > n || w.count == n && w.word < surface[stem] {
			best[stem], surface[stem] = w.count, w.word
		}
	}
	return counts, surface
}

// spelling is a word as written, and how often.
type spelling struct {
	word  string
	count int
}

// written counts the different words of s, so that each is stemmed once however often it occurs.
func written(s string) []spelling {
	var list []spelling
	at := make(map[string]int)
	for w := range Words(s) {
		i, seen := at[string(w)]
		if !seen {
			i = len(list)
			list = append(list, spelling{word: string(w)})
			at[list[i].word] = i
		}
		list[i].count++
	}
	return list
}
