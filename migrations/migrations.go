// Package migrations contains the database schema as numbered SQL steps, which the store applies in order at start.
//
// Steps only go forward, and a released step is never changed. PRAGMA user_version holds the number of the last step, and
// each step runs in one transaction with its number. That takes some forty lines in the store; a migration library would
// add database drivers and down migrations that nobody needs.
package migrations

import "embed"

// Files contains NNNN_name.sql, numbered from 0001 without gaps.
//
//go:embed *.sql
var Files embed.FS

// New makes in an empty database what the steps up to its user_version make one after another. TestGoldenNew in package store writes
// it, and compares the two. Later steps follow it, so that it is never wrong without them.
//
//go:embed new/schema.sql
var New string
