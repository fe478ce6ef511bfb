package cli

import (
	"nightjar/daemon/base/command"
)

var exploreCommand = command.Command{
	Name:    "explore",
	Args:    "'EXPRESSION' [--top NUMBER] [--json] [--data DIR]  |  VERB [ARGUMENTS]",
	Summary: "ask what links say about the pages you visited and crawled",
	Help: `Pages are described by the words that other pages use when they link to them. An expression of link operators says which
pages or words it is about:

  nightjar explore 'weightedTargetKeywords([], [topic:Hockey]) | top 20'
  nightjar explore 'crawl([https://example.org/], 2)'
  nightjar explore 'TAuthorities([], 2, {guitar, term:wind})'
  nightjar explore 'groupMatch([https://example.org/docs/]); weightedSourceKeywords([], $1)' --json
  nightjar explore 'fetch(https://example.org/)'

` + operatorList() + `
A set of pages has addresses, beginnings of addresses (https://example.org/*), topic:NAME, topic:"TWO WORDS", session:NUMBER,
crawl:NUMBER, saved sets (@NAME) and operators: [https://example.org/, topic:Hockey]. [] is all pages. A set of words has words
and terms of the ontology of the newest grouping: {guitar, term:wind}. {} is all words. Statements are separated by semicolons;
$1 is the result of the first one. docs/OPERATORS.md explains everything.

It reads the database of the data folder, whether a daemon runs or not, and requests nothing from the web. It stops after 10
seconds, and prints at most 10,000 rows.

--json prints one JSON object, whose lists are never null:

  kind                     pages, words or text
  counted                  what n is, in words; absent when nothing was counted
  total                    pages or words that there are
  pages                    n, and from_the_web: url, site, title
  words                    n, and from_the_web: word
  text                     of fetch, from_the_web: url, title, lines
  notes                    what to know of the answer
  took_ms                  milliseconds`,
	Files: true,
	Verb:  command.Of[exploreOptions],
	Below: []command.Command{groupsCommand, askCommand, ontologyCommand, exploreWordnetCommand},
}
