package crawls

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustPutList stores the list of a host, made from its JSON. It returns the list.
func mustPutList(t *testing.T, m *HostMemory, host, text string) (h fetch.HostList) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	storetest.OK(t, d.Decode(&h))
	h.Host, h.At = host, m.d.Now().UTC()
	storetest.OK(t, m.PutList(t.Context(), h))
	return h
}

func mustHostsWithLists(t *testing.T, s *store.Store) []string {
	t.Helper()
	hosts := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT host FROM lists ORDER BY host`))(t)
	return hosts
}

// TestListsErased: erasing a host deletes its list, those of the hosts below it, and those of other hosts that name it, also of the same
// site. A list that cannot be read may name it. The other hosts are still known, and their lists can be stored again.
func TestListsErased(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	for host, text := range map[string]string{
		"shop.b.test":      `{"of":[{"url":"http://shop.b.test/1.xml","read":true,"pages":[{"url":"http://shop.b.test/1"}]}]}`,
		"deep.shop.b.test": `{"of":[]}`,
		"www.b.test":       `{"of":[{"url":"http://www.b.test/2.xml","read":true,"pages":[{"url":"http://www.b.test/"},{"url":"http://shop.b.test/2"}]}]}`,
		"img.b.test":       `{"of":[{"url":"http://shop.b.test/2.xml","site":true,"read":true,"pages":[{"url":"http://img.b.test/"}]}]}`,
		"from.b.test":      `{"of":[{"url":"http://from.b.test/1.xml","read":true,"at":"http://shop.b.test/1.xml","pages":[{"url":"http://from.b.test/"}]}]}`,
		"c.test":           `{"of":[{"url":"http://c.test/rss","feed":true,"read":true,"pages":[{"url":"http://c.test/?to=http%3A%2F%2FSHOP.b.test%2F"}]}]}`,
		"blog.b.test":      `{"of":[{"url":"http://www.b.test/2.xml","read":true,"pages":[{"url":"http://blog.b.test/shop","title":"Shop","changed":"2026-01-02T03:04:05Z"}]}],"looks":[-1,2]}`,
		"damaged.test":     `{"of":[]}`,
	} {
		mustHosts(t, m, fetch.HostState{Host: host, NotBefore: hostNow})
		mustPutList(t, m, host, text)
	}
	storetest.Change(t, s, `UPDATE lists SET list = x'00' WHERE host = 'damaged.test'`)
	storetest.Must(eraseHost(t.Context(), s, "shop.b.test"))(t)
	if left := mustHostsWithLists(t, s); !slices.Equal(left, []string{"blog.b.test"}) {
		t.Errorf("the lists of %q are left", left)
	}
	if known := mustLoad(t, s); len(known) != 6 || known["www.b.test"].Host == "" {
		t.Errorf("known: %+v", known)
	}
	storetest.Grep(t, s, "shop.b.test")
	mustPutList(t, m, "shop.b.test", `{"of":[]}`)
	mustPutList(t, m, "www.b.test", `{"of":[{"url":"http://www.b.test/2.xml","read":false}]}`)
	if left := mustHostsWithLists(t, s); !slices.Equal(left, []string{"blog.b.test", "www.b.test"}) {
		t.Errorf("stored again: %q", left)
	}
	storetest.OK(t, erasing.All(t.Context(), s))
	if left := mustHostsWithLists(t, s); len(left) != 0 {
		t.Errorf("after all was erased: %q", left)
	}
}

// TestListsForgotten: a list that was not read for a month is deleted, also of a host that is still known.
func TestListsForgotten(t *testing.T) {
	s := storetest.Open(t)
	now := hostNow
	s.Now = func() time.Time { return now }
	m := NewHostMemory(s.DB)
	mustHosts(t, m, fetch.HostState{Host: "old.test", Asked: now, Set: now}, fetch.HostState{Host: "new.test", Asked: now, Set: now})
	mustPutList(t, m, "old.test", `{"of":[]}`)
	now = now.Add(time.Minute)
	mustPutList(t, m, "new.test", `{"of":[]}`)
	now = hostNow.Add(hostsRemembered)
	if known, left := mustLoad(t, s), mustHostsWithLists(t, s); len(known) != 2 || len(left) != 2 {
		t.Errorf("within the month: %+v, lists of %q", known, left)
	}
	now = now.Add(time.Millisecond)
	if known, left := mustLoad(t, s), mustHostsWithLists(t, s); len(known) != 2 || !slices.Equal(left, []string{"new.test"}) {
		t.Errorf("after the month: %+v, lists of %q", known, left)
	}
}

// TestDamagedList: a list that cannot be read is not known, and is replaced when the sitemaps are read again.
func TestDamagedList(t *testing.T) {
	s := storetest.Open(t)
	s.Now = func() time.Time { return hostNow }
	m := NewHostMemory(s.DB)
	mustHosts(t, m, fetch.HostState{Host: "a.test"})
	const text = `{"of":[{"url":"http://a.test/sitemap.xml","read":true,"pages":[{"url":"http://a.test/1"}]}]}`
	noJSON := storetest.Must(store.Packed([]byte(`{"of":[`)))(t)
	other := storetest.Must(store.Packed([]byte(`{"of":"http://a.test/1"}`)))(t)
	want := mustPutList(t, m, "a.test", text)
	var whole []byte
	storetest.OK(t, s.Readers.QueryRow(`SELECT list FROM lists`).Scan(&whole))
	for name, blob := range map[string][]byte{"nothing": {}, "no gzip": []byte("x"), "cut short": whole[:len(whole)/2], "no JSON": noJSON.Gzip, "other JSON": other.Gzip} {
		storetest.Change(t, s, `UPDATE lists SET list = ?`, blob)
		if got, ok := m.List(t.Context(), "a.test"); ok {
			t.Errorf("%s: %+v", name, got)
		}
		mustPutList(t, m, "a.test", text)
		if got, ok := m.List(t.Context(), "a.test"); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("stored again after %s: %+v, %v; want %+v", name, got, ok, want)
		}
	}
}
