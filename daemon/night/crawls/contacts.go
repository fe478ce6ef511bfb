package crawls

import (
	"context"
	"database/sql"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// putContacts adds the exchanges of a batch to the ledger.
func (j *Journal) putContacts(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for _, f := range b.Fetches {
		if err := putContacts(ctx, tx, j.crawlID, f.Response.Exchanges); err != nil {
			return err
		}
	}
	return putContacts(ctx, tx, j.crawlID, b.Exchanges)
}

const countContact = `INSERT INTO contacts (crawl_id, host, purpose, requests, failed, bytes, first_at, last_at, worker)
	VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?6, ?7)
	ON CONFLICT (crawl_id, host, purpose, worker) DO UPDATE SET requests = requests + 1, failed = failed + excluded.failed,
		bytes = bytes + excluded.bytes, last_at = max(last_at, excluded.last_at)`

// AddContacts adds exchanges to the ledger of a crawl that belong to none of its attempts.
func AddContacts(ctx context.Context, d *db.DB, crawlID int64, exchanges []fetch.Exchange) error {
	if len(exchanges) == 0 {
		return nil
	}
	err := d.Write(ctx, func(tx *sql.Tx) error { return putContacts(ctx, tx, crawlID, exchanges) })
	return db.Wrap(err, "add requests to the ledger of crawl %d", crawlID)
}

// putContacts adds exchanges to the ledger of a crawl.
func putContacts(ctx context.Context, tx *sql.Tx, crawlID int64, exchanges []fetch.Exchange) error {
	for _, e := range exchanges {
		_, err := tx.ExecContext(ctx, countContact, crawlID, weburl.Host(e.URL), string(e.Purpose), e.Reason != "", e.Bytes, db.Millis(e.At), e.Worker)
		if err != nil {
			return err
		}
	}
	return nil
}

// putFailing stores the failures in a row of hosts, and deletes those of hosts that answered again.
func (j *Journal) putFailing(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	for host, f := range b.Failing {
		text, args := `DELETE FROM resting WHERE crawl_id = ? AND host = ?`, []any{j.crawlID, host}
		if f.Strikes > 0 {
			text = `INSERT OR REPLACE INTO resting (crawl_id, host, strikes, reason) VALUES (?, ?, ?, ?)`
			args = append(args, f.Strikes, f.Rests)
		}
		if _, err := tx.ExecContext(ctx, text, args...); err != nil {
			return err
		}
	}
	return nil
}

// readFailing reads the failures in a row of a crawl's hosts.
func readFailing(ctx context.Context, q db.Queryer, id int64, r *crawler.Resume) error {
	r.Failing = map[string]crawler.HostFailures{}
	return db.Each(ctx, q, func(row db.Scanner) error {
		var host string
		var f crawler.HostFailures
		err := row.Scan(&host, &f.Strikes, &f.Rests)
		r.Failing[host] = f
		return err
	}, `SELECT host, strikes, reason FROM resting WHERE crawl_id = ?`, id)
}

// KnownPages returns a fetch.LiveOptions.Known: it gives the content of a page that was fetched before, with the validators of a
// conditional request.
func KnownPages(d *db.DB) func(context.Context, string) (fetch.Known, bool) {
	return func(ctx context.Context, url string) (k fetch.Known, ok bool) {
		var packed []byte
		err := d.Readers.QueryRowContext(ctx, `SELECT etag, last_modified, gzip FROM fetches JOIN contents ON hash = content_hash
			WHERE final_url = ? AND (etag <> '' OR last_modified <> '') AND truncated = 0 AND rendered = 0
			ORDER BY fetches.id DESC LIMIT 1`, url).Scan(&k.ETag, &k.LastModified, &packed)
		if err != nil {
			return fetch.Known{}, false // on an error too, the page is requested as if it were new
		}
		k.Body, err = store.Unpack(packed)
		return k, err == nil
	}
}
