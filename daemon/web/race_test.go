//go:build race

package web

// The race detector makes SQLite some twenty times slower; what hostile texts do does not depend on it.
func init() { naughty = naughty[:8] }
