package operators

import (
	"context"
)

// operator is one of the language's operators.
type operator struct {
	name    string
	takes   []param
	option  bool // count= may follow the arguments
	gives   Kind
	example string
	says    string // what it gives, in words
	run     func(e *evaluator, ctx context.Context, n *node) (*value, error)
}

// param is what an operator takes in one place.
type param int

const (
	pagesParam    param = iota
	onePageParam        // a set with one page
	prefixesParam       // a set whose addresses are prefixes
	addressParam        // an address, not a set
	wordsParam
	stepsParam // a number that may be negative
	moreParam  // a number from 0 on
)

// String names what is taken, for messages.
func (p param) String() string {
	return [...]string{"a set of pages", "one page", "a set of beginnings of addresses", "an address", "a set of words",
		"a number of steps", "a number from 0 on"}[p]
}

// accepts reports whether a node may be what is taken, as far as its form tells.
func (p param) accepts(n *node) bool {
	switch p {
	case wordsParam:
		return n.kind == wordSet || n.gives(Words)
	case stepsParam:
		return n.kind == number
	case moreParam:
		return n.kind == number && n.n >= 0
	case addressParam:
		return n.kind == address
	}
	return n.kind == pageSet || n.kind == address || n.kind == prefix || n.gives(Pages)
}

// gives reports whether a node may have a result of a kind.
func (n *node) gives(k Kind) bool {
	return n.kind == result || n.kind == saved || n.kind == call && n.op.gives == k
}

// operators are all operators, in the order of [THESUS] appendix A.
var operators []operator

// It is made here, since the functions refer to the table by the parser.
func init() {
	pages, words := pagesParam, wordsParam
	operators = []operator{
		{name: "fetch", takes: []param{addressParam}, gives: Text, run: (*evaluator).fetch,
			example: "fetch(https://example.org/)", says: "the text of a page, as it is stored"},
		{name: "groupMatch", takes: []param{prefixesParam}, gives: Pages, run: (*evaluator).groupMatch,
			example: "groupMatch([https://example.org/])", says: "the pages whose address begins with one of the texts"},
		{name: "crawl", takes: []param{pages, stepsParam}, gives: Pages, run: (*evaluator).crawl,
			example: "crawl([https://example.org/], 2)", says: "the pages and those up to this many links away; below 0: those that lead here in up to that many links"},
		{name: "thematicCrawl", takes: []param{pages, words, stepsParam}, gives: Pages, run: (*evaluator).thematicCrawl,
			example: "thematicCrawl([https://example.org/], {guitar, term:wind}, 2)", says: "the same along links with one of the words"},
		{name: "linkKeywords", takes: []param{onePageParam, onePageParam}, gives: Words, run: keywords(CountNothing, ""),
			example: "linkKeywords([https://example.org/], [https://example.com/])", says: "the words of the links from one page to another one"},
		{name: "groupKeywords", takes: []param{pages, pages}, gives: Words, run: keywords(CountNothing, ""),
			example: "groupKeywords([topic:Hockey], [])", says: "the words of the links from one set of pages to another one"},
		{name: "weightedGroupKeywords", takes: []param{pages, pages}, option: true, gives: Words, run: keywords(CountOccurrences, "occurrences"),
			example: "weightedGroupKeywords([], [topic:Hockey])", says: "the same with how often each word occurs"},
		{name: "weightedTargetKeywords", takes: []param{pages, pages}, gives: Words, run: keywords(CountTargets, "target pages"),
			example: "weightedTargetKeywords([], [topic:Hockey])", says: "the same with how many pages are linked to with each word"},
		{name: "weightedSourceKeywords", takes: []param{pages, pages}, gives: Words, run: keywords(CountSources, "source pages"),
			example: "weightedSourceKeywords([], [topic:Hockey])", says: "the same with how many pages use each word"},
		{name: "TAuthorities", takes: []param{pages, moreParam, words}, gives: Pages, run: linked(LinkedQuery{}),
			example: "TAuthorities([], 2, {guitar})", says: "pages of the set with links from more than this many pages with the words"},
		{name: "THubs", takes: []param{pages, moreParam, words}, gives: Pages, run: linked(LinkedQuery{Hubs: true}),
			example: "THubs([], 2, {guitar})", says: "pages of the set with links to more than this many pages with the words"},
		{name: "TCocitations", takes: []param{pages, moreParam, words}, gives: Pages, run: linked(LinkedQuery{Other: true}),
			example: "TCocitations([topic:Hockey], 2, {})", says: "pages with links from more than this many pages of the set with the words"},
		{name: "TCouplings", takes: []param{pages, moreParam, words}, gives: Pages, run: linked(LinkedQuery{Hubs: true, Other: true}),
			example: "TCouplings([topic:Hockey], 2, {})", says: "pages with links to more than this many pages of the set with the words"},
	}
}

// Described is an operator in words.
type Described struct{ Name, Example, Text string }

// Describe lists the operators.
func Describe() (all []Described) {
	for _, op := range operators {
		all = append(all, Described{op.name, op.example, op.says})
	}
	return all
}

// Names lists the names of the operators.
func Names() (all []string) {
	for _, op := range operators {
		all = append(all, op.name)
	}
	return all
}
