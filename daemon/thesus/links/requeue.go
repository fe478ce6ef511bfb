package links

import (
	"context"
	"fmt"

	"nightjar/daemon/db"
)

// requeued is how many pages requeue queues in a transaction.
const requeued = 2000

// requeue queues all pages whose content is stored, to be read anew. When it fails, some of them are queued.
func requeue(ctx context.Context, d *db.DB) error {
	type queued struct {
		ID  int64
		URL string
	}
	for _, text := range []string{
		`SELECT id, url FROM pages WHERE id > ? AND content_hash IS NOT NULL ORDER BY id LIMIT ?`,
		`SELECT id, final_url FROM fetches WHERE id > ? AND outcome = 'ok' AND content_hash IS NOT NULL ORDER BY id LIMIT ?`,
		`SELECT rank, final_url FROM (SELECT row_number() OVER (ORDER BY final_url) AS rank, final_url FROM document_pages
			WHERE outcome = 'ok' AND content_hash IS NOT NULL) WHERE rank > ? LIMIT ?`,
	} {
		for after := int64(0); ; {
			part, err := db.Query(ctx, d.Readers, db.Fields[queued], text, after, requeued)
			if err == nil && len(part) > 0 {
				urls := db.ListOf(part, func(p queued) string { return p.URL })
				err = d.Exec(ctx, `INSERT INTO link_queue (url) SELECT value FROM json_each(?) WHERE true ON CONFLICT (url) DO NOTHING`, db.JSONList(urls))
			}
			if err != nil {
				return fmt.Errorf("queue all pages to read their links: %w", err)
			}
			if len(part) == 0 {
				break
			}
			after = part[len(part)-1].ID
		}
	}
	return nil
}
