package operators

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes a node back as a program in which nothing is left out.
func show(n *node) string {
	var items []string
	for _, one := range n.items {
		items = append(items, show(one))
	}
	inside := strings.Join(items, ", ")
	text := ""
	switch n.kind {
	case call:
		text = n.op.name + "(" + inside + ")"
	case pageSet:
		text = "[" + inside + "]"
	case wordSet:
		text = "{" + inside + "}"
	case result:
		text = fmt.Sprintf("$%d", n.n)
	case saved:
		text = "@" + quote(n.text)
	case address:
		text = quote(n.text)
	case prefix:
		text = quote(n.text) + "*"
	case ofTopic:
		text = "topic:" + quote(n.text)
	case ofSession:
		text = "session:" + quote(n.text)
	case ofCrawl:
		text = fmt.Sprintf("crawl:%d", n.n)
	case word:
		text = quote(n.text)
	case term:
		text = "term:" + quote(n.text)
	case number:
		text = fmt.Sprint(n.n)
	case option:
		text = "count=" + n.text
	}
	if n.top > 0 {
		text += fmt.Sprintf(" | top %d", n.top)
	}
	return text
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func showAll(program []*node) string {
	var all []string
	for _, n := range program {
		all = append(all, show(n))
	}
	return strings.Join(all, "; ")
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:      `[]`,
		` { } ; `: `{}`,
		`groupmatch([http://a.test/x*, HTTP://B.test])`:                                                           `groupMatch(["http://a.test/x"*, "HTTP://B.test"])`,
		`crawl([https://en.test/Curl_(maths)], -2)`:                                                               `crawl(["https://en.test/Curl_(maths)"], -2)`,
		`fetch(https://en.test/a)`:                                                                                `fetch("https://en.test/a")`,
		`fetch("https://en.test/a,b \"c\" \\")`:                                                                   `fetch("https://en.test/a,b \"c\" \\")`,
		`["https://en.test/a,b"*|top 3]|top 9|TOP 4`:                                                              ``,
		`["https://en.test/a,b"*]|top 9|TOP 4|top 7`:                                                              `["https://en.test/a,b"*] | top 4`,
		`[topic:Hockey, Topic: "Ice hockey" , session:12,CRAWL:7,@a.b-c]`:                                         `[topic:"Hockey", topic:"Ice hockey", session:"12", crawl:7, @"a.b-c"]`,
		`[topic:Müller]; [$1, crawl($1, +1)]; @"two words"`:                                                       `[topic:"Müller"]; [$1, crawl($1, 1)]; @"two words"`,
		`TAUTHORITIES([], 3, {Guitar, term:"string instrument", term:wind, groupKeywords([],[]) | top 2, "top"})`: `TAuthorities([], 3, {"guitar", term:"string instrument", term:"wind", groupKeywords([], []) | top 2, "top"})`,
		`weightedGroupKeywords([],[],count=PAIRS)`:                                                                `weightedGroupKeywords([], [], count=pairs)`,
		`weightedGroupKeywords([],[], count = occurrences)`:                                                       `weightedGroupKeywords([], [], count=occurrences)`,
		`linkKeywords(http://a.test/, http://b.test/)`:                                                            `linkKeywords("http://a.test/", "http://b.test/")`,
		"thematicCrawl(@museums,\n\t$1 , 2)":                                                                      `thematicCrawl(@"museums", $1, 2)`,
		`[https://[::1]/x]`:                                                                                       `["https://[::1]/x"]`,
		`@a;@b|top 2`:                                                                                             `@"a"; @"b" | top 2`,
	} {
		program, f := parse(text)
		switch {
		case want == "" && f == nil:
			t.Errorf("%s was read as %s", text, showAll(program))
		case want != "" && f != nil:
			t.Errorf("%s: %v", text, f)
		case want != "" && showAll(program) != want:
			t.Errorf("%s was read as %s, want %s", text, showAll(program), want)
		}
	}
}

func TestFaultsSayWhereAndWhat(t *testing.T) {
	for _, test := range []struct {
		text string
		at   int
		says string
	}{
		{"", 0, "expected an operator"},
		{"crwal([], 1)", 0, `there is no operator "crwal"; did you mean crawl?`},
		{"[]; thubs_([], 1, {})", 4, "did you mean THubs?"},
		{"frobnicate()", 0, "there are: fetch, groupMatch, crawl"},
		{"crawl", 0, "expected ( behind the operator, as in crawl("},
		{"crawl([] 1)", 9, "expected a comma or ), found “1)”"},
		{"crawl([])", 8, "crawl needs a number of steps here, as in crawl("},
		{"crawl([], [])", 10, "crawl needs a number of steps here"},
		{"crawl([], 1, 2)", 13, "crawl takes no more arguments"},
		{"crawl({}, 1)", 6, "crawl needs a set of pages here"},
		{"crawl(groupKeywords([],[]), 1)", 6, "crawl needs a set of pages here"},
		{"THubs([], -1, {})", 10, "THubs needs a number from 0 on here"},
		{"THubs([], 1, [])", 13, "THubs needs a set of words here"},
		{"fetch([])", 6, "fetch needs an address here"},
		{"groupKeywords([], [], count=pairs)", 22, "count= may only be the last argument of weightedGroupKeywords"},
		{"weightedGroupKeywords([], [], count=all)", 30, "count=occurrences or count=pairs"},
		{"weightedGroupKeywords([], [], count=pairs, count=pairs)", 43, "count= is there twice"},
		{"weightedGroupKeywords([], count=pairs)", 26, "count= may only be"},
		{"[example.test/]", 1, "expected an address that begins with http:// or https://"},
		{`["example.test/"]`, 1, "an address begins with http:// or https://"},
		{`["http`, 1, "no second one"},
		{`["http\n"]`, 7, `expected " or \ behind \`},
		{"{two words}", 5, "expected a comma or }, found “words}”"},
		{`{"two words"}`, 1, `term:"two words"`},
		{"{http://a.test/}", 1, "sets of pages are written in [ ]"},
		{"{a,}", 3, "expected a word"},
		{"[topic:]", 7, "expected the name of a topic"},
		{"[crawl:x]", 7, "expected the number of a crawl"},
		{"@;", 1, "expected the name of a saved set"},
		{"$", 1, "expected the number of a statement"},
		{"[] | head 2", 5, "expected top and a number"},
		{"[] | top 0", 10, "top needs a number from 1 on"},
		{"[] | top", 8, "expected a number, such as top 20, found the end"},
		{"[] []", 3, "expected | top, a semicolon or the end"},
		{"[topic:ü, “]", 10, "expected an address that begins with http"},
		{"[]\x00", 2, "control character"},
		{"\xff", 0, "must be UTF-8"},
		{strings.Repeat("[", 30), 20, "nested more than 20 deep"},
		{strings.Repeat("[];", 60), 150, "at most 50 statements"},
		{strings.Repeat(" ", MaxText+1), 0, "at most 64 KiB"},
	} {
		_, f := parse(test.text)
		if f == nil || f.At != test.at || !strings.Contains(f.Text, test.says) {
			t.Errorf("%.40q: %v; want %q at %d", test.text, f, test.says, test.at)
		}
	}
}

// FuzzParse: any text is read or refused at a place in it; what was read and written back is read as the same.
func FuzzParse(f *testing.F) {
	for _, op := range operators {
		f.Add(op.example + " | top 3")
	}
	for _, text := range []string{"[topic:a, session:1, crawl:2, @x, \"http://a/\"*]; $1", "{a, term:\"b c\", weightedGroupKeywords([],[],count=pairs)}", "[[[", "{\"", "@", "\xff", "[é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		program, fault := parse(text)
		if fault != nil {
			if fault.At < 0 || fault.At > utf8.RuneCountInString(text) || fault.Text == "" || !utf8.ValidString(fault.Text) && utf8.ValidString(text) {
				t.Fatalf("%+v", fault)
			}
			return
		}
		written := showAll(program)
		again, fault := parse(written)
		if len(written) <= MaxText && (fault != nil || showAll(again) != written) {
			t.Fatalf("%s\nwas written %s\nwhich gives %v, %s", text, written, fault, showAll(again))
		}
	})
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"crawl", "crawl", 0}, {"crwal", "crawl", 2}, {"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "", 3}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%s to %s: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
