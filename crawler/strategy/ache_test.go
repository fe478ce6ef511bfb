package strategy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/page"
	"nightjar/model/online"
	"nightjar/model/text"
)

func mustACHE(tb testing.TB) *ache {
	tb.Helper()
	return mustNew(tb, "ache").(*ache)
}

// TestACHETokens: words of three letters and more of each field, by their stems, and the top-level domain.
func TestACHETokens(t *testing.T) {
	got := mustACHE(t).tokens(text.English, page.Link{
		URL: "https://www.cs.a.test/~smith/courses/cs101/index.html?year=1997", Anchor: "Courses of 1997", Around: "the teaching, at a (course)",
	})
	var want []uint32
	for _, w := range []string{"teach", "cours"} {
		want = append(want, acheToken(acheAround, w))
	}
	want = append(want, acheToken(acheAnchor, "cours"))
	for _, w := range []string{"smith", "cours", "index", "html", "year", "host_test"} {
		want = append(want, acheToken(acheAddress, w))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("tokens %x, want %x", got, want)
	}
	if got := mustACHE(t).tokens(text.English, page.Link{URL: "://"}); len(got) > 0 {
		t.Errorf("a link without words has tokens %x", got)
	}
}

// TestACHESelects: of each field the most frequent tokens, and none that too few links have.
func TestACHESelects(t *testing.T) {
	var links []acheLink
	for i := range 400 {
		var l acheLink
		for f := range acheFields {
			for k := range 300 { // token k of each field is in every (k+1)-th link
				if i%(k+1) == 0 {
					l.Tokens = append(l.Tokens, uint32(f)<<fieldBits|uint32(k))
				}
			}
		}
		links = append(links, l)
	}
	var want []uint32
	for f, most := range mostTokens {
		for k := range min(most, 79) { // the 80th is in five of 400 links
			want = append(want, uint32(f)<<fieldBits|uint32(k))
		}
	}
	if got := selectTokens(links); !slices.Equal(got, want) {
		t.Errorf("selects %d tokens, want %d", len(got), len(want))
	}
	few := []acheLink{{Tokens: []uint32{1, 2}}, {Tokens: []uint32{1, 3}}, {Tokens: []uint32{1 << fieldBits}}}
	if got := selectTokens(few); !slices.Equal(got, []uint32{1}) {
		t.Errorf("of three links it selects %v", got)
	}
}

// crawlOf walks pages whose links say where they lead: "rink" to hockey, "flora" to gardens, and returns the visit that comes
// next for a link with such an anchor.
func crawlOf(s Strategy, rng *rand.Rand, pages int) (last Judgement, judgements []Judgement) {
	var queued []Visit
	for i := range pages {
		topic := 3 * rng.IntN(2)
		v := Visit{URL: fmt.Sprintf("https://a.test/start/%d", i), Start: true}
		if len(queued) > 0 {
			v, queued = queued[0], queued[1:]
			if topic = 3; strings.Contains(v.URL, "rink") {
				topic = 0
			}
		}
		v.Page = &page.Page{URL: v.URL, Text: words(rng, topic, 30), Links: []page.Link{
			{URL: fmt.Sprintf("https://a.test/rink/%d", i), Anchor: "rink results"},
			{URL: fmt.Sprintf("https://a.test/flora/%d", i), Anchor: "flora results"},
		}}
		j := mustRead(s, v)
		for k, l := range v.Page.Links {
			queued = append(queued, Visit{URL: l.URL, Note: j.Notes[k]})
		}
		last, judgements = j, append(judgements, j)
	}
	return last, judgements
}

// TestACHELearnsWhichLinksLeadThere: before the first fit the links of a page are worth the same, what the page is; after
// it those whose words led to relevant pages are worth more, also from a page that is not relevant.
func TestACHELearnsWhichLinksLeadThere(t *testing.T) {
	s := mustACHE(t)
	_, all := crawlOf(s, rand.New(rand.NewPCG(51, 8)), 60)
	model := s.freshJudge()
	for i, j := range all {
		same := j.Priorities[0].Compare(j.Priorities[1]) == 0
		if before := i < 49; same != before || j.Reorder != (i == 49) {
			t.Fatalf("page %d: priorities %v, reorder %v", i, j.Priorities, j.Reorder)
		}
		if i > 49 && j.Priorities[0].Compare(j.Priorities[1]) <= 0 {
			t.Fatalf("page %d: the link to hockey is worth %v, the one to gardens %v", i, j.Priorities[0], j.Priorities[1])
		}
		if useful := online.Probability(model.LogOdds(s.judge.Fetched[i].Row)); i < 49 && math.Abs(float64(j.Priorities[0][0])/1e9-useful) > 1e-6 {
			t.Fatalf("page %d: useful with %v by its words, its links are worth %v", i, useful, j.Priorities[0])
		}
	}
}

// TestACHEProbability recomputes a link's probability from the weights, and checks that the fit is at its minimum: the
// gradient of the penalised loss is zero.
func TestACHEProbability(t *testing.T) {
	s := mustACHE(t)
	crawlOf(s, rand.New(rand.NewPCG(52, 8)), 50)
	c := s.links
	if c == nil {
		t.Fatal("nothing was learned")
	}
	count := map[bool]float64{}
	for i := range s.followed {
		count[s.followed[i].relevant()]++
	}
	gradient := make([]float64, len(c.Tokens))
	for i, w := range c.Weights {
		gradient[i] = float64(w)
	}
	bias := 0.0
	for i := range s.followed {
		l := &s.followed[i]
		z, y := c.Bias, 0.0
		for k, token := range c.Tokens {
			if slices.Contains(l.Tokens, token) {
				z += float64(c.Weights[k])
			}
		}
		if p := c.probability(l.Tokens); math.Abs(p-1/(1+math.Exp(-z))) > 1e-12 {
			t.Fatalf("link %d has probability %v, log odds %v", i, p, z)
		}
		if l.relevant() {
			y = 1
		}
		r := float64(len(s.followed)) / (2 * count[l.relevant()]) * (online.Probability(z) - y)
		bias += r
		for k, token := range c.Tokens {
			if slices.Contains(l.Tokens, token) {
				gradient[k] += r
			}
		}
	}
	const absTol = 1e-2 // the fit ends where another step would change probabilities by less than 1e-5
	for k, g := range append(gradient, bias) {
		if math.Abs(g) > absTol {
			t.Errorf("the gradient of weight %d is %v", k, g)
		}
	}
}

// TestACHEHearsThePerson: marks take the place of what the page classifier called the page, from the next fit on.
func TestACHEHearsThePerson(t *testing.T) {
	s := mustACHE(t)
	crawlOf(s, rand.New(rand.NewPCG(53, 8)), 60)
	for i := range s.followed { // the person wants gardens
		s.Teach(Mark{URL: s.followed[i].URL, Useful: strings.Contains(s.followed[i].URL, "flora")})
	}
	if news, err := s.learnLinks(t.Context()); !news || err != nil {
		t.Fatal("nothing was learned", err)
	}
	rink, flora := s.tokens(text.English, page.Link{URL: "https://a.test/rink/9", Anchor: "rink"}), s.tokens(text.English, page.Link{URL: "https://a.test/flora/9", Anchor: "flora"})
	if a, b := s.links.probability(rink), s.links.probability(flora); a >= b {
		t.Errorf("hockey is worth %v, gardens %v", a, b)
	}
}
