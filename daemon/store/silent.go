package store

import (
	"context"
	"database/sql"
	"maps"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// silentKey is the key of the setting with the silences of hosts.
const silentKey = "silent"

// Silences returns until when hosts asked not to be contacted.
func (s *Store) Silences(ctx context.Context) (until map[string]time.Time, err error) {
	_, err = s.Setting(ctx, silentKey, &until)
	return until, err
}

// putSilent adds the silences of a batch's exchanges, and drops those that are over.
func (j *Journal) putSilent(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	news := map[string]time.Time{}
	note := func(exchanges []fetch.Exchange) {
		for _, x := range exchanges {
			if !x.Until.IsZero() {
				news[weburl.Host(x.URL)] = x.Until
			}
		}
	}
	for _, f := range b.Fetches {
		note(f.Response.Exchanges)
	}
	note(b.Exchanges)
	if len(news) == 0 {
		return nil
	}
	until := map[string]time.Time{}
	if _, err := setting(ctx, tx, silentKey, &until); err != nil {
		return err
	}
	now := j.s.Now()
	maps.DeleteFunc(until, func(_ string, at time.Time) bool { return at.Before(now) })
	for host, at := range news {
		if at.After(until[host]) {
			until[host] = at
		}
	}
	return putSetting(ctx, tx, silentKey, until)
}

// eraseSilent deletes the silences of a host and of the hosts below it.
func eraseSilent(ctx context.Context, tx *sql.Tx, host string) error {
	var until map[string]time.Time
	if _, err := setting(ctx, tx, silentKey, &until); err != nil {
		return err
	}
	had := len(until)
	maps.DeleteFunc(until, func(name string, _ time.Time) bool { return OnHost("http://"+name+"/", host) })
	if len(until) == had {
		return nil
	}
	return putSetting(ctx, tx, silentKey, until)
}
