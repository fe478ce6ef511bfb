package crfsuite

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	text := strings.Join([]string{
		"# CoNLL's form",
		"B-NP\tw=An\tpos=DT\t__BOS__",
		"I-NP\tw=A.P.:1\tpos=NNP:1.0\tempty:\t# the rest is a comment",
		"O\tlink\\:a=said\tlink:b=it\tw=said\r",
		"",
		"",
		"@weight:2.5",
		`O` + "\t" + `a\:b` + "\t" + `c\\d` + "\t" + `e\f`,
		"no features",
	}, "\n")
	got, err := read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []sequence{
		{Weight: 1, Items: []item{
			{Label: "B-NP", Page: []string{"__BOS__", "pos=DT", "w=An"}},
			{Label: "I-NP", Page: []string{"empty", "pos=NNP", "w=A.P."}},
			{Label: "O", Page: []string{"w=said"}, Link: []string{"a=said", "b=it"}},
		}},
		{Weight: 2.5, Items: []item{{Label: "O", Page: []string{"a:b", `c\d`, `e\f`}}, {Label: "no features"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"A\tb\n\nA\tb:0.5":        `line 3: feature "b" has the value "0.5"`,
		"A\tb:0":                  "only the value 1",
		"A\tb:x":                  `write \: for a colon in a name`,
		"A\tlink:b:2":             `feature "b" has the value "2"`,
		"A\tb:1:2":                "two colons",
		"A\tb\tc\tb":              `feature "b" is there twice`,
		"A\tlink:b\tlink\\:b":     "twice",
		"A\t:1":                   "without a name",
		"A\tlink:":                "without a name",
		"\tb":                     "no label",
		"A:1\tb":                  `label "A" has a value`,
		"@weights:2\nA\tb":        `unknown declaration "@weights"`,
		"@weight:0\nA\tb":         `weight "0"`,
		"@weight:NaN\nA\tb":       `weight "NaN"`,
		"@weight\nA\tb":           `weight ""`,
		"A\tb\rB\tc":              "carriage return",
		"A\tb\xff":                "line 1: not UTF-8",
		strings.Repeat("a", 17e6): "line 1 is longer",
	} {
		if _, err := read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %q", text, err, want)
		}
	}
}

// write is a file with these sequences.
func write(set []sequence) string {
	var b strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`).Replace
	for _, s := range set {
		if s.Weight != 1 {
			b.WriteString("@weight:" + fmtFloat(s.Weight) + "\n")
		}
		for _, it := range s.Items {
			b.WriteString(escape(it.Label))
			for _, f := range it.Page {
				b.WriteString("\t" + escape(f))
			}
			for _, f := range it.Link {
				b.WriteString("\tlink:" + escape(f))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What can be read can be written and read again, and is as its fields say.
func FuzzRead(f *testing.F) {
	f.Add("B\tw=An\tlink:a=x\n# no\nI\tw\\:b:1\n\n@weight:2\nO\ta\\\\b\n")
	f.Add("A\tb:2")
	f.Add("@weight:1e-300\nA\n")
	f.Add("\r\r\r")
	f.Add("\\\\\tlink\\:\\:\t\\\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := read(strings.NewReader(text))
		if err != nil {
			if set != nil || !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("%v, with %d sequences", err, len(set))
			}
			return
		}
		for _, s := range set {
			if len(s.Items) == 0 || !(s.Weight > 0) {
				t.Errorf("%+v", s)
			}
			for _, it := range s.Items {
				for _, names := range [][]string{it.Page, it.Link} {
					if it.Label == "" || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
						t.Errorf("%+v", it)
					}
				}
			}
		}
		again, err := read(strings.NewReader(write(set)))
		if err != nil || !reflect.DeepEqual(again, set) {
			t.Errorf("%+v, read again %+v, %v", set, again, err)
		}
	})
}
