package web

import (
	"fmt"
	"net/url"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/ingest"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/chart"
	"nightjar/daemon/keep/doctor"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/thesus/wordnet"
)

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
			s.Exec(t, `UPDATE `+table+` SET `+c+` = `+quoted, evil)
		}
	}
	s.Exec(t, `UPDATE sessions SET title = ?1`, evil)
	s.Exec(t, `INSERT OR REPLACE INTO tokens (id, key, hash, name, scope, created_at) VALUES (1, 'k', x'00', ?1, 'read', 1)`, evil)
	s.Exec(t, `INSERT OR REPLACE INTO orders (id, program, topic_id, pages, state, problem, asked_at, changed_at)
		SELECT n, ?1, (SELECT min(id) FROM topics), 9, state, ?1, 1, 1 FROM (SELECT 1 AS n, 'waiting' AS state UNION SELECT 2, 'failed')`, evil)
	s.Exec(t, `UPDATE contacts SET host = 'h' || ?1 || host, purpose = CASE purpose WHEN 'page' THEN purpose ELSE 'x' || ?1 END`, evil)
	s.Exec(t, `UPDATE contacts SET worker = 'x' || ?1`, evil)
	s.Exec(t, `INSERT OR REPLACE INTO hosts (host, not_before, why) SELECT host, 1 << 50, 'asked' FROM contacts GROUP BY host`)
	s.Exec(t, `INSERT OR REPLACE INTO robots (origin, host, read_at, keep_ms, outcome, reason) SELECT 'http://' || host, host, 1 << 50, 1, 'x' || ?1, ?1 FROM hosts`, evil)
	s.Exec(t, `UPDATE resting SET host = 'h' || ?1 || host, reason = 'x' || ?1`, evil)
	s.Exec(t, `UPDATE fetches SET host = 'h' || ?1 || host, outcome = CASE n % 3 WHEN 0 THEN 'x' || ?1 ELSE outcome END`, evil)
	inURL := webtest.Addressed(evil)
	s.Exec(t, `UPDATE fetches SET url = 'http://h.example/?' || ?1 || rowid, final_url = 'http://h.example/?' || ?1 || rowid`, inURL)
	s.Exec(t, `UPDATE finds SET url = 'http://h.example/?' || ?1 || rowid`, inURL)
	s.Exec(t, `UPDATE starts SET url = 'http://h.example/?' || ?1 || created_at || url`, inURL)
	s.Exec(t, `UPDATE events SET body = json_set(body, '$.title', ?1) WHERE type = 'visit'`, evil)
	name, err := protocol.MilestoneName("x" + chart.Shorten(90, evil))
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE events SET body = json_set(body, '$.name', ?1) WHERE type = 'label'`, name)
	s.Exec(t, `UPDATE milestones SET name = ?1, new_name = 'y' || ?1`, name)
	s.Exec(t, `UPDATE crawls SET options = json_set(options, '$.starts', json_array(?1), '$.resolve', json_array(?1)), strategy = ?1`, evil)
	s.Exec(t, `UPDATE fetches SET why = json_array(json_object('name', ?1, 'value', 1.5), json_object('name', 'x' || ?1, 'value', -.5))`, evil)
	s.Exec(t, `UPDATE fetches SET chosen = '{"how":"best","waiting":9,"compared":8}' WHERE parent_id IS NOT NULL`)
	s.Exec(t, `INSERT OR REPLACE INTO reasons (find_id, words, passage, like_url, like_title, like_at)
		SELECT id, json_array(?1, 'x' || ?1), ?1 || id, 'http://h.example/?' || ?2, ?1, 5 FROM finds`, evil, inURL)
	s.Exec(t, `UPDATE models SET facts = json_set(facts, '$.changes', json_array(?1))`, evil)
	s.Training[s.Topic] = trainer.Status{Running: false, Problem: "x" + evil}
	s.Pairing = ingest.PairingStatus{Open: true, Until: s.Clock, Pending: &ingest.Pending{Name: evil, Digits: evil, Origin: evil}}
	s.Openings[0], s.Extension, s.Listen = evil, evil, evil
	s.Preview = scheduler.Preview{Strategy: evil, Unread: []string{evil}, Links: []scheduler.PreviewLink{
		{URL: "http://x.test/?q=" + url.QueryEscape(evil), Anchor: evil, From: evil, Why: []strategy.Reason{{Name: evil, Value: 1}}}}}
	s.Report = doctor.Report{Checks: []doctor.Check{{ID: "x", Name: evil, State: doctor.Broken, Says: evil, More: []string{evil}, Fix: evil}}}
	s.Site.WordNet = wordnet.State{Version: evil, Notice: evil + "\n" + evil}
	s.SpoilModel(t, s.Demo, evil)
	s.SpoilWorkers(t, evil)
}

// wing is the dashboard with a path or more for each pattern of the route table that answers with a page, and workers.
func (s *seeded) wing(t testing.TB) *webtest.Wing {
	t.Helper()
	s.WithWorkers(t)
	find, session, topic, crawl := s.Count(t, `SELECT max(id) FROM finds`), "/sessions/"+s.Session, fmt.Sprintf("/%d", s.Topic), fmt.Sprintf("/%d", s.Crawl)
	var load string
	if err := s.DB.QueryRow(`SELECT load FROM visits ORDER BY seq LIMIT 1`).Scan(&load); err != nil {
		t.Fatal(err)
	}
	paths := map[string][]string{
		"/": {"/", "/?state=all", "/?state=all&q=e"}, "/finds/{id}": {fmt.Sprintf("/finds/%d", find)}, "/finds/{id}/copy": {fmt.Sprintf("/finds/%d/copy", find)},
		"/start": {"/start"}, "/tonight": {"/tonight"}, "/tonight/{topic}/first": {"/tonight" + topic + "/first"}, "/doctor": {"/doctor"},
		"/teach/{topic}": {"/teach" + topic}, "/sessions": {"/sessions"},
		"/sessions/{uuid}": {session, session + "?step=3&name=2"}, "/sessions/{uuid}/edit": {session + "/edit"}, "/sessions/{uuid}/delete": {session + "/delete"},
		"/sessions/{uuid}/visits/delete": {fmt.Sprintf("%s/visits/delete?load=%s", session, load)}, "/topics/{topic}/delete": {"/topics" + topic + "/delete"},
		"/model/{topic}": {"/model" + topic}, "/model/{topic}/{version}": {s.ModelPath()},
		"/model/{topic}/{version}/{part}": {s.ModelPart("sure"), s.ModelPart("words"), s.ModelPart("graph"), s.ModelPart("ways"), s.ModelPart("versions")},
		"/crawls":                         {"/crawls"}, "/crawls/{id}": {"/crawls" + crawl}, "/crawls/{id}/hosts": {"/crawls" + crawl + "/hosts"}, "/workers/{name}/remove": {"/workers/attic-pc/remove", "/workers/old/remove"},
		"/settings": {"/settings"}, "/settings/space": {"/settings/space"}, "/settings/erase": {"/settings/erase?host=h.example"}, "/settings/erasing": {"/settings/erasing"},
		// Files, streams and the search, which other tests read, the login, the
		// list of models, which leads to the only one, and the parts of combined topics, of which there is none.
		"/static/{hash}/{name}": nil, "/sessions/{uuid}/export": nil, "/crawls/{id}/hosts.csv": nil, "/settings/backup": nil, "/events": nil,
		"/finds/export": nil, "/login": nil, "/model": nil, "/topics/{topic}/parts": nil, "/search": nil, "/api": nil, "/programs": {"/programs"},
	}
	return &webtest.Wing{Site: s.Site, Begins: []string{"/"}, Paths: paths, Unseen: s.unseen()}
}

// unseen are forms that no page shows with the data of this test: the fields that they have, by path.
func (s *seeded) unseen() map[string][]string {
	topic, crawl := fmt.Sprintf("/topics/%d", s.Topic), fmt.Sprintf("/crawls/%d", s.Crawl)
	return map[string][]string{
		"/finds/undo": {"action", "back"}, topic + "/strategy/undo": nil, "/changes/1/undo": nil, topic + "/milestones/undo": {"action", "back"},
		topic + "/milestones/rename": {"name", "to"}, topic + "/milestones/delete": {"name"}, "/sessions/" + s.Session + "/milestone": {"url", "name"},
		"/sessions/" + s.Session + "/links": {"url", "useful"}, topic + "/train/stop": nil, topic + "/dissolve": nil, "/topics/combine": {"name", "member"},
		"/teach/" + fmt.Sprint(s.Topic) + "/answer": {"fetch", "answer"}, "/teach/" + fmt.Sprint(s.Topic) + "/undo": nil,
		"/teach/" + fmt.Sprint(s.Topic) + "/learn": nil, crawl + "/stop": nil, crawl + "/pause": nil, crawl + "/resume": nil, crawl + "/go-on": nil,
		topic + "/anew/undo": nil, "/settings/pairing/open": nil, "/settings/pairing/page": {"shown"}, "/settings/copies/delete": {"name"},
		"/settings/sites/allow": {"site"}, "/settings/restore/confirm": {"do"}, "/settings/archive/prune": nil, "/tonight/switch": {"night", "back"},
		"/notices/dismiss": {"notice", "back"}, topic + "/starts": {"url"}, "/logout": nil, "/login": {"code"}, topic + "/rename": {"name"},
		"/finds/seen": {"ids", "next", "back"}, "/finds/changed": {"ids"}, "/settings/browsers/revoke": {"client"}, "/settings/pairing/approve": {"digits"},
		"/settings/pairing/refuse": nil, "/finds/export": {"id", "format", "state", "topic", "q", "anyway"}, "/settings/tokens/1/revoke": nil, "/settings/tokens/1/allow": {"may", "pages"}, "/programs/1/yes": nil, "/programs/1/no": nil, "/programs/1/undo": nil,
		"/settings/notices/test": nil, "/settings/workers/file": {"name", "file"},
	}
}
