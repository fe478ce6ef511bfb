package sessions

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// recorded submits a session of a topic: four pages, the last of them useful. The addresses tell its number.
func recorded(tb testing.TB, s *store.Store, topic string, n uint64) (topics.Topic, Session) {
	tb.Helper()
	m := maker(n)
	events := []protocol.Event{m.Start(topic)}
	for i := range 4 {
		v := m.Visit(fmt.Sprintf("http://site%d.test/%d", n, i), "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, fmt.Appendf(nil, "<p>text %d %d", n, i)))
		if i == 3 {
			events = append(events, m.Of(protocol.Useful, v.Page, ""))
		}
	}
	mustIngest(tb, s, append(events, m.Event(protocol.Submit))...)
	t := must(topics.ByName(tb.Context(), s.DB, topic))(tb)
	one, err := ByUUID(tb.Context(), s.DB, m.Session)
	if err != nil || one.Status != Submitted {
		tb.Fatal(one, err)
	}
	return t, one
}

// mustCombine makes a combined topic.
func mustCombine(tb testing.TB, s *store.Store, name string, members ...topics.Topic) topics.Topic {
	tb.Helper()
	var ids []int64
	for _, m := range members {
		ids = append(ids, m.ID)
	}
	t := must(topics.Combine(tb.Context(), s.DB, name, ids))(tb)
	return t
}

func TestCombinedSessions(t *testing.T) {
	s := open(t)
	hockey, first := recorded(t, s, "Hockey", 1)
	curling, second := recorded(t, s, "Curling", 2)
	recorded(t, s, "Cooking", 3)
	ice := mustCombine(t, s, "Ice", hockey, curling)
	_, own := recorded(t, s, "Ice", 4) // recorded under its own name
	all, err := OfTopic(t.Context(), s.DB, ice.ID)
	var got []string
	for _, one := range all {
		got = append(got, one.UUID)
	}
	if want := []string{first.UUID, second.UUID, own.UUID}; err != nil || !slices.Equal(got, want) {
		t.Errorf("sessions %v, %v; want %v", got, err, want)
	}
	events := must(TopicEvents(t.Context(), s.DB, ice.ID))(t)
	var of []string
	for _, e := range events {
		of = append(of, e.Session)
	}
	if slices.Sort(of); !slices.Equal(slices.Compact(of), slices.Sorted(slices.Values(got))) {
		t.Errorf("events of %v", of)
	}
	if known, _, err := Keep.Known(t.Context(), s, hockey.ID); err != nil || !slices.Equal(known, []string{first.UUID}) {
		t.Errorf("a member knows %+v, %v; want its own session", known, err)
	}
	members, err := topics.Members(t.Context(), s.DB, ice.ID)
	if err != nil || !reflect.DeepEqual(members, []topics.Topic{curling, hockey}) {
		t.Errorf("members %+v, %v", members, err)
	}
	if wholes, err := topics.CombinedWith(t.Context(), s.DB, curling.ID); err != nil || !slices.Equal(wholes, []int64{ice.ID}) {
		t.Errorf("part of %v, %v", wholes, err)
	}
	views, err := Keep.TopicViews(t.Context(), s)
	if err != nil || len(views) != 4 {
		t.Fatal(views, err)
	}
	for _, v := range views {
		sessions, parts := 1, 0
		if v.ID == ice.ID {
			sessions, parts = 3, 2
		}
		if v.Sessions != sessions || len(v.Members) != parts {
			t.Errorf("%s: %d sessions, made of %q", v.Name, v.Sessions, v.Members)
		}
	}
}

func TestCombineRefuses(t *testing.T) {
	s := open(t)
	hockey, _ := recorded(t, s, "Hockey", 1)
	curling, _ := recorded(t, s, "Curling", 2)
	ice := mustCombine(t, s, " Ice ", hockey, curling)
	if ice.Name != "Ice" {
		t.Errorf("named %q", ice.Name)
	}
	before := dump(t, s)
	for _, c := range []struct {
		name    string
		members []int64
		want    error
	}{
		{"", []int64{hockey.ID, curling.ID}, topics.ErrName},
		{"ICE", []int64{hockey.ID, curling.ID}, topics.ErrTaken},
		{"hockey", []int64{hockey.ID, curling.ID}, topics.ErrTaken},
		{"New", []int64{hockey.ID, hockey.ID}, topics.ErrFewMembers},
		{"New", []int64{hockey.ID, ice.ID}, topics.ErrMember},
		{"New", []int64{hockey.ID, 999}, db.ErrNotFound},
	} {
		if _, err := topics.Combine(t.Context(), s.DB, c.name, c.members); !errors.Is(err, c.want) {
			t.Errorf("combine %v as %q: %v, want %v", c.members, c.name, err, c.want)
		}
	}
	for _, c := range []struct {
		id   int64
		name string
		want error
	}{{ice.ID, "Curling", topics.ErrTaken}, {ice.ID, " ", topics.ErrName}, {hockey.ID, "New", topics.ErrNotCombined}, {999, "New", db.ErrNotFound}} {
		if err := topics.RenameCombined(t.Context(), s.DB, c.id, c.name); !errors.Is(err, c.want) {
			t.Errorf("rename %d to %q: %v, want %v", c.id, c.name, err, c.want)
		}
	}
	for id, want := range map[int64]error{hockey.ID: topics.ErrNotCombined, 999: db.ErrNotFound} {
		if err := topics.Dissolve(t.Context(), s.DB, id); !errors.Is(err, want) {
			t.Errorf("dissolve %d: %v, want %v", id, err, want)
		}
	}
	if after := dump(t, s); after != before {
		t.Errorf("what was refused changed\n%s\nto\n%s", before, after)
	}
	if err := topics.RenameCombined(t.Context(), s.DB, ice.ID, "ice"); err != nil {
		t.Errorf("the case of its own name: %v", err)
	}
}

// Dissolving takes back all that combining brought, and what was learned and found since.
func TestDissolve(t *testing.T) {
	s := open(t)
	hockey, _ := recorded(t, s, "Hockey", 1)
	curling, _ := recorded(t, s, "Curling", 2)
	before := dump(t, s)
	for _, own := range []bool{false, true} {
		ice := mustCombine(t, s, "Ice", hockey, curling)
		if own {
			recorded(t, s, "Ice", 5)
		}
		for _, q := range []string{
			"INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (7, ?1, 1, x'01', '{}', 0)",
			"INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at) VALUES (7, ?1, 7, 'hmm', '{}', 'ended', 0)",
			"INSERT INTO contents (hash, gzip) SELECT x'07', x'00' WHERE ?1",
			`INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, content_hash)
				SELECT 7, 7, 1, 'u', 'u', 'h', 'ok', 0, x'07' WHERE ?1`,
			"INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at) VALUES (7, ?1, 7, 7, 'u', '', '', 1, 0)",
			"INSERT INTO feedback (find_id, mark, at) SELECT 7, 'useful', ?1",
			"INSERT INTO starts (topic_id, url, source, created_at) VALUES (?1, 'u', 'added', 0)",
		} {
			if _, err := s.Writer.Exec(q, ice.ID); err != nil {
				t.Fatal(q, err)
			}
		}
		storetest.Change(t, s, `INSERT INTO stopped (topic_id, sessions, feedback) VALUES (?, '[]', 0)`, ice.ID)
		ok(t, topics.Dissolve(t.Context(), s.DB, ice.ID))
		if err := s.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if !own {
			if after := dump(t, s); after != before {
				t.Errorf("dissolved\n%s\nwant\n%s", after, before)
			}
			continue
		}
		left, err := OfTopic(t.Context(), s.DB, ice.ID)
		if members, _ := topics.Members(t.Context(), s.DB, ice.ID); err != nil || len(left) != 1 || len(members) != 0 {
			t.Errorf("its own session: %+v, %v; members %v", left, err, members)
		}
		for _, table := range []string{"models", "crawls", "fetches", "finds", "feedback", "stopped", "combined"} {
			var n int
			if err := s.Readers.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != 0 {
				t.Errorf("%d rows of %s left, %v", n, table, err)
			}
		}
	}
}

// A deleted session takes the models with it that knew it, as their own or as the rest of the web, and no others.
func TestDeleteSessionForgetsModels(t *testing.T) {
	s := open(t)
	hockey, gone := recorded(t, s, "Hockey", 1)
	curling, stays := recorded(t, s, "Curling", 2)
	cooking, _ := recorded(t, s, "Cooking", 3)
	for id, facts := range map[int64]string{
		hockey.ID:  `{"sessions":["` + gone.UUID + `"]}`,
		curling.ID: `{"sessions":["` + stays.UUID + `"],"background_sessions":["` + gone.UUID + `"]}`,
		cooking.ID: `{"sessions":null}`,
	} {
		must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'0102', ?, 0)", id, facts))(t)
	}
	changed, err := Delete(t.Context(), s.DB, gone.ID)
	slices.Sort(changed)
	if _, err := topics.ByID(t.Context(), s.DB, hockey.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the topic of which nothing is left: %v", err)
	}
	if want := []int64{curling.ID}; err != nil || !slices.Equal(changed, want) {
		t.Errorf("train again %v, %v; want %v", changed, err, want)
	}
	left, err := db.Query(t.Context(), s.Readers, db.ScanID, "SELECT topic_id FROM models WHERE length(bundle) > 0")
	if err != nil || !slices.Equal(left, []int64{cooking.ID}) {
		t.Errorf("models left of %v, %v", left, err)
	}
}
