package store

import _ "embed"

// Schema is the schema after all migrations, as TestGoldenSchema holds it.
//
//go:embed testdata/schema.sql
var Schema string
