package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
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

// PutSilences stores for how long hosts asked not to be contacted in exchanges that belong to no crawl.
func (s *Store) PutSilences(ctx context.Context, exchanges []fetch.Exchange) error {
	if !slices.ContainsFunc(exchanges, func(x fetch.Exchange) bool { return !x.Until.IsZero() }) {
		return nil
	}
	err := s.write(ctx, func(tx *sql.Tx) error { return s.putSilent(ctx, tx, exchanges) })
	if err != nil {
		return fmt.Errorf("store the silences of hosts: %w", err)
	}
	return nil
}

// putSilent adds the silences of a batch's exchanges.
func (j *Journal) putSilent(ctx context.Context, tx *sql.Tx, b *crawler.Batch) error {
	all := slices.Clone(b.Exchanges)
	for _, f := range b.Fetches {
		all = append(all, f.Response.Exchanges...)
	}
	return j.s.putSilent(ctx, tx, all)
}

// putSilent adds the silences of exchanges, and drops those that are over.
func (s *Store) putSilent(ctx context.Context, tx *sql.Tx, exchanges []fetch.Exchange) error {
	news := map[string]time.Time{}
	for _, x := range exchanges {
		if host := weburl.Host(x.URL); x.Until.After(news[host]) {
			news[host] = x.Until
		}
	}
	if len(news) == 0 {
		return nil
	}
	until := map[string]time.Time{}
	if _, err := setting(ctx, tx, silentKey, &until); err != nil {
		return err
	}
	now := s.Now()
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
