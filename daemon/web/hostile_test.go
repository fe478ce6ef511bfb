package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"nightjar/daemon/ingest"
	"nightjar/daemon/protocol"
	"nightjar/daemon/trainer"
	"nightjar/daemon/web/chart"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// naughty are texts by which a page, an address or a browser's name may try to inject markup.
var naughty = []string{
	`<script>alert(1)</script>`, `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, `<img src=x onerror=alert(1)//`,
	`</title><script>alert(1)</script>`, `</textarea><svg onload=alert(1)>`, `</style><script>alert(1)</script>`, `--><script>alert(1)</script>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`, `<math><mi//xlink:href="data:x,<script>alert(1)</script>">`,
	`" onmouseover="alert(1)`, `' onfocus='alert(1)' autofocus='`, "` onclick=alert(1) `", `x" style="background:url(//evil.example)`,
	`{{.Layout}}`, `{{"}}`, `${alert(1)}`, `<%= 1 %>`, `&lt;script&gt;`, `&#x3c;script&#x3e;`, `]]><script>alert(1)</script>`, `<![CDATA[<script>]]>`,
	`<!--`, `<a href="javascript:alert(1)">x</a>`, `<base href="//evil.example">`, `<meta http-equiv=refresh content="0;url=//evil.example">`,
	`<form action=//evil.example><input name=x>`, `<iframe srcdoc="<script>alert(1)</script>">`, `<template><script>alert(1)</script></template>`,
	`</svg><script>alert(1)</script>`, `</desc></svg><img src=x>`, `</details></article></main>`, `<plaintext>`, `<noscript><p title="</noscript><img src=x>">`,
	"\x00<b>", "\u202e<b>gnol\u202c", "\u2028<b>", "\ufeff<b>", "a\r\nb: c", "%3Cscript%3E", `\u003cscript\u003e`, `'; DROP TABLE finds; --`, `%s%n%d`,
	strings.Repeat("<b>", 200), strings.Repeat("W", 3000),
}

// spoil writes a text into every place that a stranger can fill.
func (s *seeded) spoil(t testing.TB, evil string) {
	t.Helper()
	quoted := "?1 || rowid"
	for table, columns := range map[string][]string{
		"browsers": {"name", "origin"}, "pages": {"title"},
		"fetches": {"title", "anchor", "reason"}, "finds": {"title", "snippet"}, "crawls": {"stop_reason"},
		"sessions": {"problem"}, "topics": {"name"},
	} {
		for _, c := range columns {
			s.exec(t, `UPDATE `+table+` SET `+c+` = `+quoted, evil)
		}
	}
	s.exec(t, `UPDATE contacts SET host = 'h' || ?1 || host, purpose = CASE purpose WHEN 'page' THEN purpose ELSE 'x' || ?1 END`, evil)
	s.exec(t, `UPDATE resting SET host = 'h' || ?1 || host, reason = 'x' || ?1`, evil)
	s.exec(t, `UPDATE fetches SET host = 'h' || ?1 || host, outcome = CASE n % 3 WHEN 0 THEN 'x' || ?1 ELSE outcome END`, evil)
	inURL := printable(evil) // an address with control characters is no address, and would not be linked
	s.exec(t, `UPDATE fetches SET url = 'http://h.example/?' || ?1 || rowid, final_url = 'http://h.example/?' || ?1 || rowid`, inURL)
	s.exec(t, `UPDATE finds SET url = 'http://h.example/?' || ?1 || rowid`, inURL)
	s.exec(t, `UPDATE starts SET url = 'http://h.example/?' || ?1 || created_at || url`, inURL)
	s.exec(t, `UPDATE events SET body = json_set(body, '$.title', ?1) WHERE type = 'visit'`, evil)
	name, err := protocol.MilestoneName("x" + chart.Shorten(90, evil))
	if err != nil {
		t.Fatal(err)
	}
	s.exec(t, `UPDATE events SET body = json_set(body, '$.name', ?1) WHERE type = 'label'`, name)
	s.exec(t, `UPDATE milestones SET name = ?1, new_name = 'y' || ?1`, name)
	s.exec(t, `UPDATE crawls SET options = json_set(options, '$.starts', json_array(?1), '$.resolve', json_array(?1)), strategy = ?1`, evil)
	s.exec(t, `UPDATE fetches SET why = json_array(json_object('name', ?1, 'value', 1.5), json_object('name', 'x' || ?1, 'value', -.5))`, evil)
	s.exec(t, `UPDATE models SET facts = json_set(facts, '$.changes', json_array(?1))`, evil)
	s.training[s.topic] = trainer.Status{Running: false, Problem: "x" + evil}
	s.pairing = ingest.PairingStatus{Open: true, Until: s.now, Pending: &ingest.Pending{Name: evil, Digits: evil, Origin: evil}}
	s.Openings = []string{evil}
	encoded, err := s.bundle.Encode()
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	b.Pages, b.Vectors = b.Pages[:6], b.Vectors[:6]
	b.Edges = slices.DeleteFunc(b.Edges, func(e [2]int) bool { return e[0] >= 6 || e[1] >= 6 })
	b.Lessons.Pages = b.Lessons.Pages[:6]
	b.Lessons.Links = slices.DeleteFunc(b.Lessons.Links, func(l model.LinkLesson) bool { return l.From >= 6 || l.To >= 6 })
	for i := range b.Lessons.Links {
		b.Lessons.Links[i].Link = webgraph.Link{URL: evil, Anchor: evil, Around: evil, Heading: evil, Path: evil}
	}
	b.Facts.Pages, b.Facts.Edges = len(b.Pages), len(b.Edges)
	for i := range b.Pages {
		b.Pages[i].Title = evil
	}
	for i := range b.Clusters {
		b.Clusters[i].LogOdds = []model.Word{{Word: evil, Score: 1}}
		b.Clusters[i].MutualInformation = b.Clusters[i].LogOdds
	}
	b.Gamma.How = "x" + evil
	b.Ways = naughtyWays(evil)
	if encoded, err = b.Encode(); err != nil {
		t.Fatal(err)
	}
	s.exec(t, `UPDATE models SET bundle = ?`, encoded)
	s.bundles.drop()
}

// elements lists a page's elements in order with the names of their attributes, and complains of what must never be
// there.
func elements(t testing.TB, where, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := n.Data
		for _, a := range n.Attr {
			name += " " + a.Key
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(value, "javascript:") && (a.Key == "href" || a.Key == "action" || a.Key == "src") {
				t.Errorf("%s: <%s %s=%q>", where, n.Data, a.Key, a.Val)
			}
		}
		if (n.Data == "script" || n.Data == "style") && n.FirstChild != nil {
			t.Errorf("%s: inline %s", where, n.Data)
		}
		all = append(all, name)
	}
	return all
}

// TestNothingIsMarkup shows pages full of hostile texts: they must have exactly the elements that they have with plain
// ones.
func TestNothingIsMarkup(t *testing.T) {
	s := seed(t)
	s.exec(t, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES ('c1', 'Chromium', 'chrome-extension://a', x'00', 1)`)
	// A few of each kind say as much as many.
	s.exec(t, `DELETE FROM finds WHERE id NOT IN (SELECT id FROM finds ORDER BY id LIMIT 2)`)
	s.exec(t, `DELETE FROM fetches WHERE id NOT IN (WITH RECURSIVE way(id) AS (SELECT fetch_id FROM finds
		UNION SELECT parent_id FROM fetches JOIN way USING (id) WHERE parent_id IS NOT NULL) SELECT id FROM way)`)
	s.exec(t, `DELETE FROM events WHERE type <> 'session.start' AND page NOT IN (SELECT page FROM events WHERE type = 'visit' ORDER BY seq LIMIT 8)`)
	s.exec(t, `INSERT INTO events (id, session_id, client, seq, at, type, page, body) SELECT 'label', session_id, client, seq, at, 'label', page,
		json_set(body, '$.type', 'label', '$.id', 'label') FROM events WHERE type = 'visit' ORDER BY seq LIMIT 1`)
	s.exec(t, `INSERT INTO milestones (topic_id, at, action, page_id, name) SELECT ?, 1, 'name', id, 'x' FROM pages WHERE id IN
		(SELECT page_id FROM visits ORDER BY seq LIMIT 1 OFFSET 2)`, s.topic)
	s.exec(t, `INSERT INTO milestones (topic_id, at, action, name, new_name) VALUES (?, 2, 'rename', 'x', 'y')`, s.topic)
	paths := []string{"/", "/?state=all", "/sessions", "/sessions/" + s.session, "/sessions/" + s.session + "/delete",
		fmt.Sprintf("/model/%d", s.topic), "/crawls", fmt.Sprintf("/crawls/%d", s.crawl),
		fmt.Sprintf("/crawls/%d/hosts", s.crawl), "/settings"}
	show := func(text string) map[string][]string {
		s.spoil(t, text)
		all := map[string][]string{}
		for _, path := range paths {
			w := s.get(path)
			if w.Code != 200 {
				t.Fatalf("%s with %q: %d", path, text, w.Code)
			}
			all[path] = elements(t, path, w.Body.String())
		}
		return all
	}
	plain := show("plain")
	for _, evil := range naughty {
		for path, got := range show(evil) {
			if want := plain[path]; !slices.Equal(got, want) {
				t.Errorf("%s with %.60q has other elements than with plain text: %d, not %d", path, evil, len(got), len(want))
			}
		}
	}
}

// TestNaughtyInput sends hostile texts through everything that a person can type.
func TestNaughtyInput(t *testing.T) {
	s := seed(t)
	plain := elements(t, "/", s.get("/?state=all&q=zzz").Body.String())
	for _, evil := range naughty {
		values := map[string][]string{"q": {evil}, "state": {"all"}}
		if got := elements(t, "/", s.get("/?"+url.Values(values).Encode()).Body.String()); !slices.Equal(got, plain) {
			t.Errorf("filter %.60q changes the page", evil)
		}
		for _, w := range []struct {
			path string
			form map[string][]string
		}{
			{"/settings", map[string][]string{"night_start": {evil}, "contact": {evil}, "never": {evil}, "strategy": {evil}}},
			{fmt.Sprintf("/topics/%d/starts/add", s.topic), map[string][]string{"url": {evil}}},
			{"/sessions/" + s.session + "/milestone", map[string][]string{"url": {evil}, "name": {"goal"}}},
			{fmt.Sprintf("/topics/%d/milestones/rename", s.topic), map[string][]string{"name": {evil}, "to": {evil}}},
			{fmt.Sprintf("/topics/%d/milestones/delete", s.topic), map[string][]string{"name": {evil}}},
			{fmt.Sprintf("/topics/%d/milestones/undo", s.topic), map[string][]string{"action": {evil}, "back": {evil}}},
			{"/settings/erase-all", map[string][]string{"confirm": {evil}}},
		} {
			answer := s.post(w.path, w.form)
			if answer.Code != 422 {
				t.Errorf("%s with %.60q: %d", w.path, evil, answer.Code)
			}
			elements(t, w.path, answer.Body.String())
		}
		if code := s.get("/settings/erase?" + url.Values{"host": {evil}}.Encode()).Code; code != 422 && code != 200 {
			t.Errorf("erase %.60q: %d", evil, code)
		}
		elements(t, "notice", s.get("/?"+url.Values{"done": {evil}}.Encode()).Body.String())
	}
}
