package store

import (
	"context"
	"database/sql"

	"nightjar/crawler/unlink"
)

// eraseHosts deletes what a host and those below it asked for, and what files of other hosts say of them: those are read again.
func eraseHosts(ctx context.Context, tx *sql.Tx, host string) error {
	site := unlink.New(host)
	type row struct {
		key, host, plain string
		packed           []byte
	}
	scan := func(r scanner) (one row, err error) { return one, r.Scan(&one.key, &one.host, &one.plain, &one.packed) }
	says := func(one row) bool {
		if site.May([]byte(one.plain)) {
			return true
		}
		if len(one.packed) == 0 {
			return false
		}
		text, err := unpack(one.packed)
		return err != nil || site.May(text)
	}
	hosts, err := query(ctx, tx, scan, `SELECT host, host, why, missing FROM hosts`)
	if err != nil {
		return err
	}
	for _, one := range hosts {
		text := `UPDATE hosts SET missing = NULL WHERE host = ?`
		switch {
		case OnHost("http://"+one.host+"/", host):
			text = `DELETE FROM hosts WHERE host = ?`
		case !says(one):
			continue
		}
		if _, err := tx.ExecContext(ctx, text, one.key); err != nil {
			return err
		}
	}
	for _, files := range []struct{ list, drop string }{
		{`SELECT origin, host, reason, body FROM robots`, `DELETE FROM robots WHERE origin = ?`},
		{`SELECT host, host, '', list FROM lists`, `DELETE FROM lists WHERE host = ?`},
	} {
		all, err := query(ctx, tx, scan, files.list)
		if err != nil {
			return err
		}
		for _, one := range all {
			if !OnHost("http://"+one.host+"/", host) && !says(one) {
				continue
			}
			if _, err := tx.ExecContext(ctx, files.drop, one.key); err != nil {
				return err
			}
		}
	}
	return nil
}
