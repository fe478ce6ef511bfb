// Package robots reads robots.txt by RFC 9309, and says what it forbids and why.
//
// Where readings differ, what is allowed by both the RFC and Google's parser is allowed. Whatever a stranger writes into the file,
// reading it and a verdict take time linear in its size.
package robots
