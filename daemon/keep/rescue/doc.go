// Package rescue finds damage in a database file before anything opens it for writing, and saves the rows of a damaged one that
// can still be read.
package rescue
