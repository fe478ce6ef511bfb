// Package operators evaluates the link operators of [THESUS] §4: it walks links, lists the words that pages use for other
// pages, and finds pages that many pages link to with some words.
//
// Start with New, and Engine.Run, which takes a text in a small language and returns a table:
//
//	weightedTargetKeywords([topic:Hockey], []) | top 20
//
// An error that the text causes is a *Fault, which says where. docs/OPERATORS.md explains each operator with an example.
//
// # Grammar
//
// In the notation of the Go specification: | alternatives, [ ] may be missing, { } any number of times. White space may be
// between any two parts, except in an address, a prefix and a name.
//
//	Program   = Statement { ";" Statement } [ ";" ] .
//	Statement = Value .
//	Value     = ( Call | Pages | Words | Result | Saved ) { "|" "top" number } .
//	Call      = operator "(" [ Argument { "," Argument } ] ")" .
//	Argument  = Value | address | prefix | [ "+" | "-" ] number | "count" "=" ( "occurrences" | "pairs" ) .
//	Pages     = "[" [ Item { "," Item } ] "]" .
//	Item      = address | prefix | "topic" ":" Name | "session" ":" Name | "crawl" ":" number | Value .
//	Words     = "{" [ Word { "," Word } ] "}" .
//	Word      = word | string | "term" ":" Name | Value .
//	Result    = "$" number .
//	Saved     = "@" ( string | letters, digits, "-", "_" and "." ) .
//	Name      = string | bare .
//
//	address   = "http://…" or "https://…", bare or a string
//	prefix    = address "*"
//	string    = characters between two quotation marks ("), in which \" and \\ stand for " and \
//	bare      = characters up to white space, a comma or a closing bracket that was not opened in it
//
// $1 is the result of the first statement; the result of a program is that of its last one. [] is all pages, {} all words: a
// set that is written differently and has no members is empty. Names of operators and the words top, count, topic, session,
// crawl and term are read in any case.
package operators
