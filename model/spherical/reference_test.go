package spherical

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
	"nightjar/model/text"
	"nightjar/model/tfidf"
)

// subjects are far apart, and have between 45 and 119 articles.
var subjects = []string{
	"subject.Science.Chemistry.Chemical_elements",
	"subject.Science.Biology.Mammals",
	"subject.Design_and_Technology.Railway_transport",
	"subject.Mathematics",
	"subject.Music.Musical_genres_styles_eras_and_events",
}

// On articles of five subjects, which scikit-learn 1.2's KMeans tells apart with a normalised mutual information of
// .986.
func TestArticlesOfFiveSubjects(t *testing.T) {
	texts, subject := mustArticles(t)
	docs, _, err := text.CountAll(t.Context(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	vocabulary := tfidf.Fit(docs, tfidf.Clusters)
	pages := make([]tfidf.Vector, len(docs))
	for i, d := range docs {
		pages[i] = vocabulary.Vector(d).Unit()
	}
	c := KMeans(pages, vocabulary.Len(), DefaultK, 1)
	nmi, ari := agreement(subject, c.Assign)
	t.Logf("%d pages, %d terms, objective %.3f, NMI %.4f, adjusted Rand index %.4f, sizes %v",
		len(pages), vocabulary.Len(), c.Objective, nmi, ari, c.Sizes)
	if len(pages) != 399 {
		t.Errorf("%d pages, want 399", len(pages))
	}
	if c.Objective < 152.1 {
		t.Errorf("objective %v, want at least 152.1", c.Objective)
	}
	if nmi < .96 {
		t.Errorf("NMI %v, want at least .96", nmi)
	}
}

// mustArticles reads the articles that have one of the subjects and no other label, and the number of the subject.
func mustArticles(tb testing.TB) (texts []string, subject []int) {
	tb.Helper()
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		tb.Skip("left out: NIGHTJAR_CORPORA does not name a folder of WARC files")
	}
	of := mustSubjects(tb, filepath.Join(root, "wikispeedia", "labels.tsv"))
	f, err := os.Open(filepath.Join(root, "wikispeedia", "articles.warc.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	for r := warc.NewReader(f, info.Size()); ; {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, subject
		}
		if err != nil {
			tb.Fatal(err)
		}
		s, ok := of[record.Target()]
		if !ok {
			continue
		}
		response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(record.Block)), nil)
		if err != nil {
			tb.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			tb.Fatal(err)
		}
		p, err := page.Parse(record.Target(), response.Header.Get("Content-Type"), body)
		if err != nil {
			tb.Fatal(err)
		}
		texts, subject = append(texts, p.Text), append(subject, s)
	}
}

// mustSubjects gives the number of the subject of each page that has one of the subjects and no other label.
func mustSubjects(tb testing.TB, file string) map[string]int {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	labels := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		url, label, _ := strings.Cut(strings.TrimSpace(line), "\t")
		labels[url] = append(labels[url], label)
	}
	of := map[string]int{}
	for url, all := range labels {
		if s := slices.Index(subjects, all[0]); s >= 0 && len(all) == 1 {
			of[url] = s
		}
	}
	return of
}

// agreement measures two partitions: their mutual information divided by the mean of their entropies, and the Rand
// index adjusted for chance (Hubert & Arabie, J. Classification 2, 1985).
func agreement(a, b []int) (nmi, ari float64) {
	rows, columns, both := map[int]float64{}, map[int]float64{}, map[[2]int]float64{}
	for i := range a {
		rows[a[i]]++
		columns[b[i]]++
		both[[2]int{a[i], b[i]}]++
	}
	n := float64(len(a))
	mutual, ha, hb := 0.0, 0.0, 0.0
	pairs := func(x float64) float64 { return x * (x - 1) / 2 }
	index, pa, pb := 0.0, 0.0, 0.0
	for k, x := range both {
		mutual += x / n * math.Log(x*n/(rows[k[0]]*columns[k[1]]))
		index += pairs(x)
	}
	for _, x := range rows {
		ha -= x / n * math.Log(x/n)
		pa += pairs(x)
	}
	for _, x := range columns {
		hb -= x / n * math.Log(x/n)
		pb += pairs(x)
	}
	expected := pa * pb / pairs(n)
	return mutual / ((ha + hb) / 2), (index - expected) / ((pa+pb)/2 - expected)
}

// The values are those of scikit-learn 1.2's normalized_mutual_info_score and adjusted_rand_score.
func TestAgreement(t *testing.T) {
	truth := []int{0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3}
	found := []int{0, 0, 1, 1, 2, 2, 2, 3, 3, 1, 3}
	const absTol = 1e-12 // sums of a dozen logs
	nmi, ari := agreement(truth, found)
	if math.Abs(nmi-0.7328771459467802) > absTol || math.Abs(ari-0.47058823529411764) > absTol {
		t.Errorf("NMI %v, adjusted Rand index %v", nmi, ari)
	}
}
