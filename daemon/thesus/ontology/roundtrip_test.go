package ontology

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nightjar/model/ontology"
)

// drawTree makes a tree of up to 30 terms, with labels and keys that files must escape.
func drawTree(t *testing.T, rng *rand.Rand) *ontology.Tree {
	t.Helper()
	texts := []string{"music", "rock 'n' roll", `a|b`, `a \ b`, "array [computing]", "# sharp", "naïve \"x\"", "日本語", "<b>", "x.", "prefix a: <b>", "[]", "{}", "_:x", "tab\tand\nline", "<a:b> <c:d> <e:f> ."}
	senses := []string{"wind.n.07", "o'clock.r.01", "rock_'n'_roll.n.01", "24/7.r.01", "c%d.v.12"}
	var items []ontology.Item
	for i := range 1 + rng.IntN(30) {
		item := ontology.Item{Key: fmt.Sprintf("%s%d", []string{"http://a.test/", "", "_:b", "a b ", keyNS, "urn:x:", "http://a.test/é", "C:\\", "http://a.test/%zz"}[rng.IntN(9)], i)}
		for range 1 + rng.IntN(3) {
			item.Labels = append(item.Labels, texts[rng.IntN(len(texts))])
		}
		for range rng.IntN(3) {
			item.Senses = append(item.Senses, senses[rng.IntN(len(senses))])
		}
		if i > 0 {
			item.Parents = []string{items[rng.IntN(i)].Key}
		}
		items = append(items, item)
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// readBack reads what was written, and builds it again.
func readBack(t *testing.T, data []byte, want Kind) *ontology.Tree {
	t.Helper()
	f, err := Read(data, "")
	if err != nil {
		t.Fatalf("%v in:\n%s", err, data)
	}
	tree, repaired, err := ontology.Build(f.Items)
	if err != nil || len(repaired) > 0 || f.Kind != want {
		t.Fatalf("%s: %v, %v in:\n%s", f.Kind, repaired, err, data)
	}
	return tree
}

// folded is a tree's terms with labels as readers clean them.
func folded(tree *ontology.Tree, keys bool) []ontology.Term {
	var terms []ontology.Term
	for _, term := range tree.Terms() {
		labels := make([]string, 0, len(term.Labels))
		for _, l := range term.Labels {
			labels = append(labels, strings.Join(strings.Fields(l), " "))
		}
		if term.Labels = labels; !keys {
			term.Key = ""
		}
		if len(term.Senses) == 0 {
			term.Senses = nil
		}
		terms = append(terms, term)
	}
	return terms
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 150 {
		tree := drawTree(t, rng)
		var triples, text bytes.Buffer
		if err := WriteNTriples(&triples, tree); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(folded(tree, true), folded(readBack(t, triples.Bytes(), NTriples), true)); diff != "" {
			t.Fatal(diff, triples.String())
		}
		if err := WriteText(&text, tree); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(folded(tree, false), folded(readBack(t, text.Bytes(), Text), false)); diff != "" {
			t.Fatal(diff, text.String())
		}
	}
}

func TestWritten(t *testing.T) {
	tree, _, err := ontology.Build([]ontology.Item{
		{Key: "http://a.test/m", Labels: []string{"music"}},
		{Key: "wind [x]", Labels: []string{"wind | [x]", "#2"}, Senses: []string{"wind.n.07", "rock_'n'_roll.n.01"}, Parents: []string{"http://a.test/m"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var triples, text strings.Builder
	if err := WriteNTriples(&triples, tree); err != nil {
		t.Fatal(err)
	}
	const wantTriples = `<http://a.test/m> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .
<http://a.test/m> <http://www.w3.org/2004/02/skos/core#prefLabel> "music" .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2004/02/skos/core#Concept> .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/2004/02/skos/core#prefLabel> "wind | [x]" .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/2004/02/skos/core#altLabel> "#2" .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/2004/02/skos/core#broader> <http://a.test/m> .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/2004/02/skos/core#closeMatch> <urn:wordnet:wind.n.07> .
<urn:nightjar:term:wind%20%5Bx%5D> <http://www.w3.org/2004/02/skos/core#closeMatch> <urn:wordnet:rock_%27n%27_roll.n.01> .
`
	if diff := cmp.Diff(wantTriples, triples.String()); diff != "" {
		t.Error(diff)
	}
	if err := WriteText(&text, tree); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("music\n  wind \\| \\[x] | #2 [wind.n.07, rock_'n'_roll.n.01]\n", text.String()); diff != "" {
		t.Error(diff)
	}
}

// TestNotWritten: what indented text cannot hold is an error.
func TestNotWritten(t *testing.T) {
	deep := []ontology.Item{{Key: "0", Labels: []string{"x"}}}
	for i := 1; i <= maxDepth; i++ {
		deep = append(deep, ontology.Item{Key: fmt.Sprint(i), Labels: []string{"x"}, Parents: []string{fmt.Sprint(i - 1)}})
	}
	for want, items := range map[string][]ontology.Item{
		"move it up":           deep,
		"no visible character": {{Key: "a", Labels: []string{"\u00ad"}}},
		"not a WordNet sense":  {{Key: "a", Labels: []string{"a"}, Senses: []string{"x], y"}}},
	} {
		tree, _, err := ontology.Build(items)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteText(&bytes.Buffer{}, tree); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestTurtleIsNTriples: triples that Turtle shortens say what they say in N-Triples.
func TestTurtleIsNTriples(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	predicates := []string{rdfNS + "type", skosNS + "prefLabel", skosNS + "altLabel", skosNS + "broader", skosNS + "narrower", rdfsNS + "subClassOf", "http://x.test/other"}
	for range 300 {
		var long, short strings.Builder
		short.WriteString("@prefix s: <" + skosNS + ">.@prefix : <http://a.test/> . PREFIX r: <" + rdfsNS + ">\n")
		abbreviate := strings.NewReplacer("<"+rdfNS+"type>", "a", "<"+skosNS, "s:", "<"+rdfsNS, "r:", "<http://a.test/", ":")
		shorten := func(s string) string {
			if short := abbreviate.Replace(s); short != s {
				return strings.TrimSuffix(short, ">")
			}
			return s
		}
		for range 1 + rng.IntN(15) {
			subject := fmt.Sprintf("<http://a.test/t%d>", rng.IntN(8))
			short.WriteString(shorten(subject))
			for j := range 1 + rng.IntN(3) {
				predicate := "<" + predicates[rng.IntN(len(predicates))] + ">"
				short.WriteString([]string{" ", ";\n\t"}[min(j, 1)] + shorten(predicate))
				for k := range 1 + rng.IntN(3) {
					object := []string{"<" + skosNS + "Concept>", "<" + rdfsNS + "Class>", fmt.Sprintf("<http://a.test/t%d>", rng.IntN(8)), fmt.Sprintf(`"label %d \"x\" \\ \u00e9"@en`, rng.IntN(9)), `"y"`, `"z"@de`}[rng.IntN(6)]
					fmt.Fprintf(&long, "%s %s %s .\n", subject, predicate, object)
					short.WriteString([]string{" ", " , "}[min(k, 1)] + shorten(object))
				}
			}
			short.WriteString(" .\n")
		}
		a, errA := Read([]byte(long.String()), "")
		b, errB := Read([]byte(short.String()), "")
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%v, %v\n%s\n%s", errA, errB, long.String(), short.String())
		}
		if errA == nil {
			if diff := cmp.Diff(a.Items, b.Items); diff != "" || a.Kind != NTriples || b.Kind != Turtle {
				t.Fatalf("%s, %s: %s\n%s\n%s", a.Kind, b.Kind, diff, long.String(), short.String())
			}
		}
	}
}
