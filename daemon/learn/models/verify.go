package models

import (
	"bytes"
	"crypto/sha256"

	"nightjar/daemon/db"
	"nightjar/daemon/keep/safekeeping"
)

// Verifier checks the SHA-256 at the end of each bundle; see model.Bundle.Encode. An erased one is empty.
var Verifier = safekeeping.Verifier{
	Kind: "model", Rows: `SELECT id, bundle FROM models WHERE id > CAST(?1 AS INTEGER) ORDER BY id LIMIT ?2`,
	Check: func(row db.Scanner) (c safekeeping.Checked, err error) {
		var bundle []byte
		err = row.Scan(&c.Key, &bundle)
		c.Row = c.Key
		if end := len(bundle) - sha256.Size; end > 0 {
			sum := sha256.Sum256(bundle[:end])
			c.Wrong = !bytes.Equal(sum[:], bundle[end:])
		}
		return c, err
	},
}
