package store

import (
	"net/url"
	"strings"

	"nightjar/crawler/unlink"
	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// OnHost reports whether an address is on a host or on a host below it.
func OnHost(address, host string) bool {
	name := weburl.Host(address)
	if i := strings.LastIndexByte(name, ':'); i > 0 && !strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return name == host || strings.HasSuffix(name, "."+host)
}

// Concerns reports whether an address is on a host or below it, or has its name in it, as those of redirects and of copies do.
func Concerns(address, host string) bool {
	return OnHost(address, host) || unlink.New(host).Names(address)
}

// EscapedHost is how canonical addresses of other sites have an internationalized host in them; the host itself for others.
func EscapedHost(host string) string {
	names := unlink.New(host).Forms()
	return strings.ToLower(url.QueryEscape(names[len(names)-1]))
}

// URLRow is a row that is identified by an id and an address.
type URLRow struct {
	ID  int64
	URL string
}

// Key is the id of the row.
func (r URLRow) Key() int64 { return r.ID }

// RowsOnHost runs a query for ids and addresses and keeps those of a host. The database leaves out most of the others first:
// to parse every address of a large database takes minutes.
func RowsOnHost(w *db.Work, host, text string) []URLRow {
	var all []URLRow
	w.Each(func(row db.Scanner) error {
		var r URLRow
		err := row.Scan(&r.ID, &r.URL)
		if err == nil && Concerns(r.URL, host) {
			all = append(all, r)
		}
		return err
	}, `WITH found(id, url) AS (`+text+`) SELECT id, url FROM found WHERE instr(lower(url), ?1) + instr(lower(url), ?2) > 0`, strings.ToLower(host), EscapedHost(host))
	return all
}

// HostTable is a table with rows about hosts, as ids and addresses.
type HostTable struct {
	Name   string // "" where nobody asks for it
	Find   string // all rows
	Delete string // one of them
}

// Rows finds the rows about a host.
func (t HostTable) Rows(w *db.Work, host string) []URLRow { return RowsOnHost(w, host, t.Find) }

// Erase deletes the rows about a host.
func (t HostTable) Erase(w *db.Work, host string) {
	for _, r := range t.Rows(w, host) {
		w.Exec(t.Delete, r.ID, r.URL)
	}
}
