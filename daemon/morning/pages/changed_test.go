package pages

import (
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/store"
)

// TestChangedFinds: the finds begin with useful pages that changed or are gone, until the person has seen that.
func TestChangedFinds(t *testing.T) {
	s := seed(t)
	ids := s.findIDs(t)
	if len(ids) < 3 {
		t.Fatalf("%d finds", len(ids))
	}
	told := func() string { return webtest.Text(s.Page(t, "/").Find("section.changed")) }
	if says := told(); says != "" {
		t.Errorf("before any change it says %q", says)
	}
	s.Exec(t, `UPDATE finds SET changed_at = found_at + 86400000 WHERE id = ?`, ids[0])
	s.Exec(t, `UPDATE finds SET gone_at = found_at + 86400000 WHERE id IN (?, ?)`, ids[1], ids[2])
	s.MustPost(t, "/finds/"+ids[2]+"/mark", url.Values{"mark": {store.MarkNotUseful}})
	if says := told(); strings.Count(says, "text changed much") != 1 || strings.Count(says, "no page any more") != 1 {
		t.Errorf("it says %q", says)
	}
	for id, want := range map[string]string{ids[0]: "changed ", ids[1]: "gone "} {
		if says := webtest.Text(s.Page(t, "/finds/"+id).Find("p.meta")); !strings.Contains(says, want) {
			t.Errorf("find %s says %q, want %q", id, says, want)
		}
	}
	s.MustPost(t, "/finds/changed", url.Values{"ids": {ids[0] + "," + ids[1]}})
	if says := told(); says != "" {
		t.Errorf("once seen, it says %q", says)
	}
	if code := s.Post("/finds/changed", url.Values{"ids": {"1,x"}}).Code; code != 422 {
		t.Errorf("what is no list of finds: %d", code)
	}
}
