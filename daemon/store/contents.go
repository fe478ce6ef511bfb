package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"

	"nightjar/daemon/db"
)

// Content is the HTML of a page as it is stored.
type Content struct {
	Hash [sha256.Size]byte
	Gzip []byte
}

// packers are reused, since a new one takes more memory than most pages.
var packers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a third of the time of the default for a tenth more bytes
	if err != nil {
		panic("store: " + err.Error()) // cannot happen: the level is valid
	}
	return z
}}

// Packed compresses a page.
func Packed(html []byte) (*Content, error) {
	c := &Content{Hash: sha256.Sum256(html)}
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	if _, err := z.Write(html); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	c.Gzip = b.Bytes()
	return c, nil
}

const InsertContent = "INSERT INTO contents (hash, gzip) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"

// PutContent stores a page's HTML, unless it is stored already, and returns its hash.
func PutContent(ctx context.Context, tx *sql.Tx, c *Content) ([]byte, error) {
	_, err := tx.ExecContext(ctx, InsertContent, c.Hash[:], c.Gzip)
	return c.Hash[:], err
}

// DropOrphans deletes all contents that nothing refers to.
func DropOrphans(w *db.Work) {
	w.Exec(`
		DELETE FROM contents WHERE hash NOT IN (
			SELECT content_hash FROM events WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM pages WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM fetches WHERE content_hash IS NOT NULL
			UNION SELECT content_hash FROM document_pages WHERE content_hash IS NOT NULL)`)
}

// Content returns a page's HTML by its hash, or ErrNotFound.
func (s *Store) Content(ctx context.Context, hash []byte) ([]byte, error) {
	packed, err := db.Found(db.ScanBytes(s.Readers.QueryRowContext(ctx, "SELECT gzip FROM contents WHERE hash = ?", hash)))
	if err != nil {
		return nil, err
	}
	return Unpack(packed)
}

// Unpack decompresses a stored content.
func Unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	z.Multistream(false) // what a server sent may be followed by anything
	html, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("unpack content: %w", err)
	}
	return html, nil
}

// DropContents deletes the contents that nothing refers to.
func DropContents(w *db.Work, hashes [][]byte) {
	for _, hash := range hashes {
		w.Exec(`DELETE FROM contents WHERE hash = ?
			AND NOT EXISTS (SELECT 1 FROM events WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM pages WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM fetches WHERE content_hash = contents.hash)
			AND NOT EXISTS (SELECT 1 FROM document_pages WHERE content_hash = contents.hash)`, hash)
	}
}

// DropTitleQueries deletes the queries that no document sent.
func DropTitleQueries(w *db.Work) {
	w.Exec(`DELETE FROM title_queries
		WHERE NOT EXISTS (SELECT 1 FROM title_requests WHERE query_id = title_queries.id)`)
}
