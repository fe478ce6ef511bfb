package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/chart"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/lab/hostile"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/web/frame"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// naughty are hostile texts, several in each.
func naughty(t testing.TB, several int) []string {
	t.Helper()
	return hostile.Joined(t, several)
}

// addressed is a text as an address may have it: what cannot be parsed as an address is not linked.
func addressed(evil string) string { return strings.ReplaceAll(frame.Printable(evil), "#", "%23") }

// spoil writes a text into every place that a stranger can fill.
func (s *seeded) spoil(t testing.TB, evil string) {
	t.Helper()
	quoted := "?1 || rowid"
	for table, columns := range map[string][]string{
		"browsers": {"name", "origin"}, "pages": {"title"},
		"fetches": {"title", "anchor", "reason", "worker"}, "finds": {"title", "snippet"}, "crawls": {"stop_reason"},
		"sessions": {"problem"}, "topics": {"name"},
	} {
		for _, c := range columns {
			s.exec(t, `UPDATE `+table+` SET `+c+` = `+quoted, evil)
		}
	}
	s.exec(t, `UPDATE search_entries SET title = ?1`, evil)
	s.exec(t, `UPDATE sessions SET title = ?1`, evil)
	s.exec(t, `INSERT OR REPLACE INTO tokens (id, key, hash, name, scope, created_at) VALUES (1, 'k', x'00', ?1, 'read', 1)`, evil)
	s.exec(t, `UPDATE contacts SET host = 'h' || ?1 || host, purpose = CASE purpose WHEN 'page' THEN purpose ELSE 'x' || ?1 END`, evil)
	s.exec(t, `UPDATE contacts SET worker = 'x' || ?1`, evil)
	s.exec(t, `INSERT OR REPLACE INTO hosts (host, not_before, why) SELECT host, 1 << 50, 'asked' FROM contacts GROUP BY host`)
	s.exec(t, `INSERT OR REPLACE INTO robots (origin, host, read_at, keep_ms, outcome, reason) SELECT 'http://' || host, host, 1 << 50, 1, 'x' || ?1, ?1 FROM hosts`, evil)
	s.exec(t, `UPDATE resting SET host = 'h' || ?1 || host, reason = 'x' || ?1`, evil)
	s.exec(t, `UPDATE fetches SET host = 'h' || ?1 || host, outcome = CASE n % 3 WHEN 0 THEN 'x' || ?1 ELSE outcome END`, evil)
	inURL := addressed(evil)
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
	s.exec(t, `UPDATE fetches SET chosen = '{"how":"best","waiting":9,"compared":8}' WHERE parent_id IS NOT NULL`)
	s.exec(t, `INSERT OR REPLACE INTO reasons (find_id, words, passage, like_url, like_title, like_at)
		SELECT id, json_array(?1, 'x' || ?1), ?1 || id, 'http://h.example/?' || ?2, ?1, 5 FROM finds`, evil, inURL)
	s.exec(t, `UPDATE models SET facts = json_set(facts, '$.changes', json_array(?1))`, evil)
	s.training[s.topic] = trainer.Status{Running: false, Problem: "x" + evil}
	s.pairing = ingest.PairingStatus{Open: true, Until: s.now, Pending: &ingest.Pending{Name: evil, Digits: evil, Origin: evil}}
	s.Openings, s.Extension, s.Listen = []string{evil}, evil, evil
	s.preview = scheduler.Preview{Strategy: evil, Unread: []string{evil}, Links: []scheduler.PreviewLink{
		{URL: "http://x.test/?q=" + url.QueryEscape(evil), Anchor: evil, From: evil, Why: []strategy.Reason{{Name: evil, Value: 1}}}}}
	s.previews = previews{}
	s.report = doctor.Report{Checks: []doctor.Check{{ID: "x", Name: evil, State: doctor.Broken, Says: evil, More: []string{evil}, Fix: evil}}}
	s.maps.spoil(evil, inURL)
	s.spoilOntologies(t, evil)
	*s.wordnet = fullWordNet(evil)
	s.explores.spoil(evil, inURL)
	s.spoilLinks(t, evil, inURL)
	s.exec(t, `UPDATE maps SET title = ?1, problem = CASE state WHEN 'done' THEN '' ELSE 'x' || ?1 END`, evil)
	s.spoilModel(t, evil)
	s.spoilWorkers(t, evil)
	s.withBookmarks(t, evil)
}

// spoilLinks puts a text into everything that is stored of links.
func (s *seeded) spoilLinks(t testing.TB, evil, inURL string) {
	t.Helper()
	s.exec(t, `UPDATE groupings SET problem = CASE state WHEN 'failed' THEN 'x' || ?1 ELSE '' END, stale = CASE state WHEN 'done' THEN 'x' || ?1 ELSE '' END`, evil)
	s.exec(t, `UPDATE word SET word = 'x' || ?1 || id`, evil)
	s.exec(t, `UPDATE link_page SET url = 'http://h.example/?' || ?1 || id WHERE id > 1`, inURL)
	s.exec(t, `DELETE FROM saved_sets`)
	s.exec(t, `INSERT INTO saved_sets (name, expression, created_at) VALUES ('x' || ?1, '[]' || ?1, 1)`, evil)
	s.exec(t, `DELETE FROM operations`)
	s.exec(t, `INSERT INTO operations (at, text) VALUES (1, 'x' || ?1)`, evil)
}

// spoilModel puts a text into every place of the model that holds text of pages.
func (s *seeded) spoilModel(t testing.TB, evil string) {
	t.Helper()
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
	s.Store.Erasing()() // so that models are read again
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

// everyPage has a path or more for each pattern of the route table that answers with a page.
func (s *seeded) everyPage(t *testing.T) (paths []string) {
	t.Helper()
	s.withWorkers(t)
	s.withBookmarks(t, "kept")
	m, tree, g := s.withMaps(t), ontologyAt(s.withOntology(t)), s.withGroupings(t)
	find, session, topic, crawl := s.count(t, `SELECT max(id) FROM finds`), "/sessions/"+s.session, fmt.Sprintf("/%d", s.topic), fmt.Sprintf("/%d", s.crawl)
	var load string
	if err := s.db.QueryRow(`SELECT load FROM visits ORDER BY seq LIMIT 1`).Scan(&load); err != nil {
		t.Fatal(err)
	}
	table := map[string][]string{
		"/": {"/", "/?state=all", "/?state=all&q=e"}, "/finds/{id}": {fmt.Sprintf("/finds/%d", find)}, "/finds/{id}/copy": {fmt.Sprintf("/finds/%d/copy", find)},
		"/start": {"/start"}, "/tonight": {"/tonight"}, "/tonight/{topic}/first": {"/tonight" + topic + "/first"}, "/doctor": {"/doctor"},
		"/teach/{topic}": {"/teach" + topic}, "/search": {"/search?q=tidal", "/search?like=x"}, "/sessions": {"/sessions"}, "/bookmarks": {"/bookmarks", "/bookmarks" + "?folder="},
		"/sessions/{uuid}": {session, session + "?step=3&name=2"}, "/sessions/{uuid}/edit": {session + "/edit"}, "/sessions/{uuid}/delete": {session + "/delete"},
		"/sessions/{uuid}/visits/delete": {fmt.Sprintf("%s/visits/delete?load=%s", session, load)}, "/topics/{topic}/delete": {"/topics" + topic + "/delete"},
		"/model/{topic}": {"/model" + topic}, "/model/{topic}/{version}": {s.modelPath()},
		"/model/{topic}/{version}/{part}": {s.modelPart("sure"), s.modelPart("words"), s.modelPart("graph"), s.modelPart("ways"), s.modelPart("versions")},
		"/crawls":                         {"/crawls"}, "/crawls/{id}": {"/crawls" + crawl}, "/crawls/{id}/hosts": {"/crawls" + crawl + "/hosts"}, "/workers/{name}/remove": {"/workers/attic-pc/remove", "/workers/old/remove"},
		"/communities": {"/communities"}, "/communities/{map}": {mapAt(m.done), mapAt(m.making["titles waiting"]), mapAt(m.making["pages waiting"]),
			mapAt(m.making["pages working"]), mapAt(m.making["training failed"]), mapAt(m.making["crawl working"]), mapAt(m.making["crawl waiting"])},
		"/communities/{map}/delete": {mapAt(m.done) + "/delete"}, "/communities/{map}/{community}": {mapAt(m.done) + "/1"},
		"/explore/wordnet": {"/explore/wordnet"}, "/explore/wordnet/get": {"/explore/wordnet/get"}, "/explore/wordnet/remove": {"/explore/wordnet/remove"},
		"/communities/{map}/pages/{fetch}": {fmt.Sprintf("%s/pages/%d", mapAt(m.done), m.fetch)},
		"/explore":                         {"/explore"}, "/explore/{grouping}": {groupingAt(g.terms), groupingAt(g.terms) + "?q=guitar", groupingAt(g.terms) + "?term=s&level=0",
			groupingAt(g.terms) + "?cluster=apart", groupingAt(g.words), groupingAt(g.working), groupingAt(g.failed), groupingAt(g.empty)},
		"/explore/{grouping}/links": {groupingAt(g.terms) + "/links?cluster=0"}, "/explore/{grouping}/delete": {groupingAt(g.terms) + "/delete"},
		"/explore/page": {"/explore/page", "/explore/page?url=https://nowhere.example/"}, "/explore/pages/{id}": {"/explore/pages/1", "/explore/pages/1?grouping=0"},
		"/explore/compare":    {"/explore/compare?a=&b=https://music.example/1", "/explore/compare?a=(&b="},
		"/explore/operators":  {"/explore/operators", "/explore/operators?q=" + url.QueryEscape("weightedTargetKeywords([], [])"), "/explore/operators?q=crawl([https://music.example/1],-1)", "/explore/operators?q=crawl("},
		"/explore/ontologies": {"/explore/ontologies"}, "/explore/ontologies/{ontology}": {tree, tree + "?term=wind&open=music&open=tools", tree + "?q=x"},
		"/explore/ontologies/{ontology}/delete": {tree + "/delete"}, "/explore/ontologies/{ontology}/export": nil,
		"/settings": {"/settings"}, "/settings/space": {"/settings/space"}, "/settings/erase": {"/settings/erase?host=h.example"}, "/settings/erasing": {"/settings/erasing"}, "/api": {"/api"},
		// Files and streams, which other tests read, the login, the
		// list of models, which leads to the only one, and the parts of combined topics, of which there is none.
		"/static/{hash}/{name}": nil, "/sessions/{uuid}/export": nil, "/crawls/{id}/hosts.csv": nil, "/settings/backup": nil, "/events": nil,
		"/finds/export": nil, "/login": nil, "/model": nil, "/topics/{topic}/parts": nil, "/communities/{map}/report": nil,
		"/explore/{grouping}/export": nil, "/explore/operators/export": nil,
	}
	for _, pattern := range s.Pages() {
		of, ok := table[pattern]
		if !ok {
			t.Errorf("%s is not looked at with hostile texts: add it here", pattern)
		}
		paths = append(paths, of...)
	}
	return paths
}
