// Package migrations holds the database's schema as numbered steps. The store applies them in order at start; a step
// that has shipped is never edited.
package migrations

import "embed"

// Files holds NNNN_name.sql, numbered from 0001 without gaps.
//
//go:embed *.sql
var Files embed.FS
