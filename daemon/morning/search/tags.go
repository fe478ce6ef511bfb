package search

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
)

// Tags are words of the column tags. They make filters as quick as words.
const (
	tagVisited = "kv"
	tagFound   = "kf"
	tagFetched = "kc"
	tagUseful  = "ku"
)

// filterTags returns the conditions on the column tags for a filter.
func filterTags(ctx context.Context, d *db.DB, f Filter) ([]string, error) {
	var all []string
	if f.Topic != 0 {
		ids, err := db.Query(ctx, d.Readers, db.ScanID, `SELECT * FROM `+topics.WithMembers, f.Topic)
		if err != nil {
			return nil, err
		}
		all = append(all, "tags : ("+strings.Join(db.ListOf(ids, topicTag), " OR ")+")")
	}
	if f.Site != "" {
		all = append(all, "tags : "+siteTag(strings.ToLower(f.Site)))
	}
	if tag := map[string]string{Visited: tagVisited, Found: tagFound, Fetched: tagFetched}[f.Kind]; tag != "" {
		all = append(all, "tags : "+tag)
	}
	if months := monthTags(f.Since, f.Until); len(months) > 0 {
		all = append(all, "tags : ("+strings.Join(months, " OR ")+")")
	}
	return all, nil
}

func topicTag(id int64) string { return fmt.Sprintf("t%d", id) }

// siteTags is the condition that a page is on one of some sites.
func siteTags(hosts []string) string {
	return "tags : (" + strings.Join(db.ListOf(hosts, siteTag), " OR ") + ")"
}

func siteTag(host string) string { return "s" + hex.EncodeToString([]byte(host)) }

func monthTag(t time.Time) string { return t.UTC().Format("m200601") }

// monthTags lists the months of a time span, or nothing when it is open or longer than ten years: then there are
// few others to look at.
func monthTags(since, until time.Time) []string {
	if since.IsZero() || until.IsZero() && time.Since(since) > 10*366*24*time.Hour {
		return nil
	}
	if until.IsZero() {
		until = time.Now().AddDate(0, 2, 0)
	}
	var all []string
	first := time.Date(since.UTC().Year(), since.UTC().Month(), 1, 0, 0, 0, 0, time.UTC)
	for m := first; m.Before(until); m = m.AddDate(0, 1, 0) {
		if all = append(all, monthTag(m)); len(all) > 120 {
			return nil
		}
	}
	if len(all) == 0 {
		all = []string{monthTag(first)} // an empty span
	}
	return all
}

// tags returns the tags of an entry.
func (e Source) tags() string {
	all := []string{monthTag(e.At)}
	for _, id := range e.Topics {
		all = append(all, topicTag(id))
	}
	for host := hostOnly(e.URL); host != ""; {
		all = append(all, siteTag(host))
		_, host, _ = strings.Cut(host, ".")
	}
	for _, k := range []struct {
		is  bool
		tag string
	}{{e.PageID != 0, tagVisited}, {e.FindID != 0, tagFound}, {e.FetchID != 0, tagFetched}, {e.Useful, tagUseful}} {
		if k.is {
			all = append(all, k.tag)
		}
	}
	return strings.Join(all, " ")
}

// hostOnly returns the host of an address without its port.
func hostOnly(address string) string {
	name := weburl.Host(address)
	if i := strings.LastIndexByte(name, ':'); i > 0 && !strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return name
}
