package contentbench

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"nightjar/daemon/lab/devtool"
)

// means are those of one extractor over the pages of a set.
type means struct {
	precision, recall, f1 float64
	lost                  int // pages with recall below 1/2
	took                  time.Duration
}

// measure runs all extractors on the pages of a set, as served or with hidden markup.
func measure(s set, hidden bool, rounds int) ([]means, error) {
	rows := make([]means, len(extractors))
	for _, p := range s.pages {
		u, err := url.Parse(p.url)
		if err != nil {
			return nil, err
		}
		source := p.served
		if hidden {
			source = p.hidden
		}
		head, err := headText(p.url, source)
		if err != nil {
			return nil, err
		}
		for i, e := range extractors {
			found, took := fastest(rounds, func() (string, error) { return e.extract(u, source) })
			if e.name == ours {
				found = strings.TrimPrefix(found, head)
			} else {
				found = textOf(found)
			}
			rows[i].add(found, p.want, took, len(s.pages))
		}
	}
	return rows, nil
}

// fastest extracts one page several times. A page that the extractor rejects has no content.
func fastest(rounds int, extract func() (string, error)) (content string, took time.Duration) {
	for range rounds {
		began := time.Now()
		found, err := extract()
		if t := time.Since(began); took == 0 || t < took {
			took = t
		}
		if err == nil {
			content = found
		}
	}
	return content, took
}

// add adds the content that an extractor found on one of n pages.
func (m *means) add(got, want string, took time.Duration, n int) {
	precision, recall, f1 := score(got, want)
	share := 1 / float64(n)
	m.precision += precision * share
	m.recall += recall * share
	m.f1 += f1 * share
	m.took += took / time.Duration(n)
	if recall < .5 {
		m.lost++
	}
}

func (s set) table(hidden bool, rows []means) devtool.Table {
	markup := "as served"
	if hidden {
		markup = "markup hidden"
	}
	t := devtool.Table{
		Title: fmt.Sprintf("%d %s pages, %s", len(s.pages), s.name, markup),
		Rows:  [][]string{{"", "precision", "recall", "F1", "pages lost", "ms a page", "times ours"}},
	}
	for i, m := range rows {
		took, ratio := fmt.Sprintf("%.2f", devtool.Milliseconds(m.took)), fmt.Sprintf("%.1f", float64(m.took)/float64(rows[0].took))
		if extractors[i].name == wholeBody {
			took, ratio = "-", "-"
		}
		t.Rows = append(t.Rows, []string{extractors[i].name, fmt.Sprintf("%.3f", m.precision), fmt.Sprintf("%.3f", m.recall),
			fmt.Sprintf("%.3f", m.f1), fmt.Sprint(m.lost), took, ratio})
	}
	return t
}

// score compares two texts as bags of words. Precision is the share of got that is in want, recall the share of want that
// is in got, F1 their harmonic mean; all are 0 when the texts share no word.
func score(got, want string) (precision, recall, f1 float64) {
	count := map[string]int{}
	wanted, given := words(want), words(got)
	for _, w := range wanted {
		count[w]++
	}
	both := 0.0
	for _, w := range given {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	if both == 0 {
		return 0, 0, 0
	}
	precision, recall = both/float64(len(given)), both/float64(len(wanted))
	return precision, recall, 2 * precision * recall / (precision + recall)
}

// words are the runs of letters and digits of a text; in Chinese and Japanese, its characters. Punctuation does not count,
// since extractors add their own in tables and lists.
func words(s string) []string {
	var list []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
		if unicode.In([]rune(w)[0], unicode.Han, unicode.Hiragana, unicode.Katakana) {
			list = append(list, strings.Split(w, "")...)
		} else {
			list = append(list, w)
		}
	}
	return list
}
