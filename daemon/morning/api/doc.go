// Package api answers programs that read: scripts over HTTP, assistants over MCP, feed readers, exports.
//
// Reader.Answer is the start: it answers a path and parameters with one of the types of types.go. Handler serves the same
// answers under /api/v1, and the feeds, with a token as the only key. routes.go is the table of paths; openapi.json
// describes it, and a test holds the two and real answers together. Everything is read-only.
//
// Texts that strangers wrote are in fields named from_the_web and nowhere else.
package api
