package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placesOf parses a document and writes each link as "path | heading | around".
func placesOf(t *testing.T, html string) []string {
	t.Helper()
	var out []string
	for _, l := range mustParse(t, html).Links {
		out = append(out, l.Path+" | "+l.Heading+" | "+l.Around)
	}
	return out
}

func TestLinkPlaces(t *testing.T) {
	for _, tt := range []struct {
		name, html string
		want       []string
	}{
		{"ten words on each side", `<p>a b c d e f g h i j k l <a href=x>no</a> 1 2 3 4 5 6 7 8 9 10 11 12`,
			[]string{"p |  | c d e f g h i j k l 1 2 3 4 5 6 7 8 9 10"}},
		{"fewer at the ends", `<a href=x>no</a> after <a href=y>end</a>`, []string{"body |  | after end", "body |  | no after"}},
		{"nothing around", `<a href=x>alone</a>`, []string{"body |  | "}},
		{"in the order of the document", `<table><tr><td>one<td>two <a href=x>no</a><td>three</table><p>four`,
			[]string{"table>tbody>tr>td |  | one two three four"}},
		{"a word in pieces is several", `<p>rink<b>s</b><a href=x>no</a>today`, []string{"p |  | rink s today"}},
		{"the neighbours' words are around, its own are not", `<a href=x>big <b>ice</b></a> <a href=y>rink</a>`,
			[]string{"body |  | rink", "body |  | big ice"}},
		{"white space folded", "<p>one\n\t two <a href=x>no</a>\u00a0three", []string{"p |  | one two three"}},
		{"composed characters", "<h2>Cafe\u0301</h2><p>cafe\u0301 <a href=x>no</a> cafe\u0301", []string{"p | Caf\u00e9 | Caf\u00e9 caf\u00e9 caf\u00e9"}},

		{"not seen, not around", `<title>T</title><p>a<script>no()</script><style>no{}</style><noscript>no</noscript><template>no</template><!--no--> <a href=x>x</a><select><option>no</select> b`,
			[]string{"p |  | a b"}},
		{"hidden by a style counts", `<div style="display:none">menu</div><a href=x>x</a>`, []string{"body |  | menu"}},
		{"a link in what is not seen has its place", `<p>before <object><a href=x>no</a> no</object> after`, []string{"p>object |  | before after"}},
		{"an area and a refresh", `<meta http-equiv=refresh content="0;url=n"><p>one <map name=m><area href=x alt=no></map> two`,
			[]string{"head |  | one two", "p>map |  | one two"}},

		{"the last heading before it, of any level", `<a href=a>a</a><h1>One <i>b</i></h1><a href=b>b</a><h3>Two</h3><div><a href=c>c</a></div>`,
			[]string{"body |  | One b b Two c", "body | One b | a One b Two c", "div | Two | a One b b Two"}},
		{"a link in a heading stands under the one before", `<h2>A</h2><h2>B <a href=x>x</a></h2>`, []string{"h2 | A | A B"}},
		{"an empty heading ends the one before", `<h2>A</h2><h2> </h2><a href=x>x</a>`, []string{"body |  | A"}},
		{"a heading that nobody sees is none", `<h2>A</h2><noframes><h2>B</h2></noframes><object><h2>C</h2></object><a href=x>x</a>`, []string{"body | A | A"}},

		{"class before id, first of several", `<div class=" menu  open" id=m><ul id=" list "><li class=""><a href=x>x</a>`, []string{"div.menu>ul#list>li |  | "}},
		{"the five innermost", `<main><div><section><ul><li><p><a href=x>x</a>`, []string{"div>section>ul>li>p |  | "}},
		{"body only when nothing else holds it", `<body class=home><b><a href=x>x</a></b><a href=y>y</a>`, []string{"b |  | y", "body.home |  | x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, placesOf(t, tt.html)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLinkSides: the ten words before a link and the ten after it are kept apart, whatever they stand in and however long.
func TestLinkSides(t *testing.T) {
	long := strings.Repeat("слово", 3)
	for _, tt := range []struct{ name, html, before, after string }{
		{"nothing", `<a href=x>x</a>`, "", ""},
		{"before", `a b <a href=x>x</a>`, "a b", ""},
		{"after", `<a href=x>x</a> a b`, "", "a b"},
		{"ten each, across elements", `<h1>a b c</h1><ul><li>d e f<li>g h i</ul><table><td>j k<td><a href=x>x</a><td>1 2<td>3 4</table><p>5 6 7</p><p>8 9 10 11`,
			"b c d e f g h i j k", "1 2 3 4 5 6 7 8 9 10"},
		{"more bytes than around a link", strings.Repeat(long+" ", 12) + "<a href=x>x</a> end", strings.TrimSpace(strings.Repeat(long+" ", 10)), "end"},
		{"an endless word", strings.Repeat("x", 1000) + " y <a href=x>x</a>", strings.Repeat("x", maxSide-2) + " y", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustParse(t, tt.html)
			checkPage(t, p)
			if l := p.Links[0]; l.Before != tt.before || l.After != tt.after {
				t.Errorf("got %q and %q, want %q and %q", l.Before, l.After, tt.before, tt.after)
			}
		})
	}
}

func TestHeadings(t *testing.T) {
	for _, tt := range []struct {
		html string
		want []string
	}{
		{`<title>No</title><p>no`, nil},
		{`<nav><h2>Menu</h2></nav><h1> One <a href=x>and</a> a
			half</h1><h6>Six</h6><h2> </h2><object><h2>no</h2></object>`, []string{"Menu", "One and a half", "Six"}},
		{strings.Repeat("<h3>x</h3>", maxHeadings+9), slices.Repeat([]string{"x"}, maxHeadings)},
	} {
		if diff := cmp.Diff(tt.want, mustParse(t, tt.html).Headings); diff != "" {
			t.Error(diff)
		}
	}
}

// TestLinkPlacesOfTwins: several links to one page get the surroundings of the one whose anchor text is kept.
func TestLinkPlacesOfTwins(t *testing.T) {
	got := placesOf(t, `<nav>top <a href=x></a></nav><h2>News</h2><p>read <a href=x>more</a> here</p><div>end <a href=x>again</a></div>`)
	if want := []string{"p | News | top News read here end again"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLinkPlacesBounded: long surroundings are cut, between characters.
func TestLinkPlacesBounded(t *testing.T) {
	word := strings.Repeat("é", 1000)
	got := mustParse(t, fmt.Sprintf(`<h1>%[1]s</h1><div class=%[1]s><div id=%[1]s><div class=%[1]s><div class=%[1]s><div class=%[1]s>%[1]sa <a href=x>no</a> b%[1]s`, word)).Links[0]
	half := strings.Repeat("é", 18) // an element has 40 bytes
	for _, tt := range [][2]string{
		{got.Around, strings.Repeat("é", 74) + "a b" + strings.Repeat("é", 74)},
		{got.Heading, strings.Repeat("é", 60)},
		{got.Path, "div." + half + ">div#" + half + ">div." + half + ">div." + half[:32]},
	} {
		if tt[0] != tt[1] {
			t.Errorf("got  %q\nwant %q", tt[0], tt[1])
		}
	}
}

// TestLinkPlacesFarDown: only the first words of a very long document are read; a link further down has heading and path.
func TestLinkPlacesFarDown(t *testing.T) {
	got := mustParse(t, "<h1>Top</h1><p>"+strings.Repeat("w ", maxRead)+"<p>unread <a href=x>x</a> unread").Links[0]
	if got.Heading != "Top" || got.Path != "p" || strings.Contains(got.Around, "unread") {
		t.Errorf("%+v", got)
	}
}
