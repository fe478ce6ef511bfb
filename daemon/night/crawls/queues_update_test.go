package crawls

import (
	"database/sql"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/keep/rescue"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// manyCrawls are rows of version 21: topics of which several crawls ended, of which one is under way, and whose last crawl was one by
// a plan, for a map, or left nothing.
const manyCrawls = `
INSERT INTO topics (id, name, created_at) VALUES (31, 'Several', 1), (32, 'Under way', 1), (33, 'Map', 1), (34, 'Plan', 1), (35, 'Nothing left', 1), (36, 'Early', 1), (37, 'Never', 1);
INSERT INTO models (id, topic_id, version, bundle, facts, created_at) SELECT id, id, 1, x'00', '{}', 1 FROM topics WHERE id > 30;
INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at, early) VALUES
	(311, 31, 31, 'test', '{}', 'ended', 1, 0), (312, 31, 31, 'test', '{}', 'ended', 2, 0), (313, 31, 31, 'test', '{}', 'ended', 3, 0),
	(321, 32, 32, 'test', '{}', 'ended', 1, 0), (322, 32, 32, 'test', '{}', 'running', 2, 0),
	(331, 33, 33, 'test', '{}', 'ended', 1, 0), (332, 33, 33, 'test', '{"for_map":true}', 'ended', 2, 0),
	(341, 34, 34, 'test', '{}', 'ended', 1, 0), (342, 34, 34, 'test', '{"nightly":true}', 'ended', 2, 0),
	(351, 35, 35, 'test', '{}', 'ended', 1, 0), (352, 35, 35, 'test', '{}', 'ended', 2, 0),
	(361, 36, 36, 'learner', '{}', 'ended', 1, 1);
INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, reason, http_status, bytes, at, depth, anchor, title, cluster, states, similarity, relevant, cost, text_hash, useful, evidence)
	SELECT id, id, 1, 'http://a.test/' || id, 'http://a.test/' || id, 'a.test', 'ok', '', 200, 1, 1, 0, '', '', -1, '[]', 0, 0, 1, 0, 0, '[]' FROM crawls WHERE id > 310;
INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n)
	SELECT id, 'http://a.test/' || id, 'done', '[]', 1, 0 FROM crawls WHERE id IN (313, 322, 332, 342, 361)
	UNION ALL SELECT id, 'http://a.test/waits/' || id, 'queued', '[1]', 2, 1 FROM crawls WHERE id IN (313, 322, 332, 342, 361);
INSERT INTO learned (crawl_id, state) VALUES (322, x'01'), (361, x'02');
`

// TestUpdateOfManyCrawls: topics of an older data folder go on with the queue of their last crawl, as far as it is there and the crawl
// was neither for a map nor by a plan, and otherwise begin at their start pages.
func TestUpdateOfManyCrawls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 21)
	plain := storetest.Must(sql.Open("sqlite", db.DSN(path, "rw", "")))(t)
	storetest.Must(plain.Exec(manyCrawls))(t)
	storetest.OK(t, plain.Close())
	s := mustOpen(t, path)
	open, err := Resume(t.Context(), s.DB, 322)
	if err != nil || open.Stored != nil || string(open.Learned) != "\x01" || open.LastN != 1 || len(mustQueued(t, open)) != 1 {
		t.Errorf("the crawl under way: %+v, %v", open, err)
	}
	storetest.OK(t, End(t.Context(), s.DB, 322, "budget used"))
	const start = "http://start.test/"
	for topic, want := range map[int64]struct {
		strategy string
		waiting  []string
		again    bool // stored pages are read again
	}{
		31: {"test", []string{"http://a.test/waits/313", start}, true}, // what an ended crawl had learned is gone
		32: {"test", []string{"http://a.test/waits/322", start}, false},
		33: {"test", []string{start}, false},
		34: {"test", []string{start}, false},
		35: {"test", []string{start}, false},
		36: {"learner", []string{"http://a.test/waits/361", start}, false}, // which the person may let go on
		37: {"test", []string{start}, false},
	} {
		c := mustCreateCrawl(t, s, Crawl{TopicID: topic, ModelID: topic, Strategy: want.strategy, Lasting: true, Options: Options{Starts: []string{start}}})
		r := storetest.Must(Resume(t.Context(), s.DB, c.ID))(t)
		var got []string
		for _, e := range mustQueued(t, r) {
			got = append(got, e.URL)
		}
		slices.Sort(got)
		if !slices.Equal(got, want.waiting) || (r.Stored != nil) != want.again {
			t.Errorf("topic %d: %v, read again: %v; want %+v", topic, got, r.Stored != nil, want)
		}
	}
	storetest.OK(t, DropQueues(t.Context(), s.DB))
	if left := storetest.Count(t, s, `SELECT count(*) FROM frontier WHERE crawl_id IN (332, 342)`); left > 0 {
		t.Errorf("%d links of the map and the plan are left", left)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestRescueQueues: each saved crawl has a queue that is there, also when the crawl that began it was lost, or the damaged folder is
// of an earlier version.
func TestRescueQueues(t *testing.T) {
	for name, damaged := range map[string]func(path string){
		"earlier version": func(path string) { dbtest.OldVersion(t, path, "../../store/testdata", 21) },
		"lost beginning": func(path string) {
			dbtest.OldVersion(t, path, "../../store/testdata", 21)
			s := mustOpen(t, path)
			c := mustCreateCrawl(t, s, Crawl{TopicID: 24, ModelID: 24, Strategy: "hmm", Lasting: true})
			if c.Queue != 25 {
				t.Fatalf("the night opens queue %d", c.Queue)
			}
			storetest.Change(t, s, "PRAGMA foreign_keys = 0")
			storetest.Change(t, s, "DELETE FROM crawls WHERE id = 25")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, to := filepath.Join(dir, "nightjar.db"), filepath.Join(dir, "saved.db")
			damaged(path)
			storetest.Must(rescue.Save(t.Context(), path, to))(t)
			s := mustOpen(t, to)
			if n := storetest.Count(t, s, "SELECT count(*) FROM crawls WHERE queue NOT IN (SELECT id FROM crawls)"); n > 0 {
				t.Errorf("%d crawls have a queue that is not there", n)
			}
			c := mustCreateCrawl(t, s, Crawl{TopicID: 24, ModelID: 24, Strategy: "hmm", Lasting: true, Options: Options{Starts: []string{"http://start.test/"}}})
			r, err := Resume(t.Context(), s.DB, c.ID)
			if err != nil || len(mustQueued(t, r)) == 0 {
				t.Errorf("the next night: %+v, %v", r, err)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestUpdateOfTwoStrategies: a crawl with two strategies that an older version began goes on: its queue waits, its picks are known, and
// its stored pages are read again, since what the two knew is not what their pair knows.
func TestUpdateOfTwoStrategies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 25)
	plain, err := sql.Open("sqlite", db.DSN(path, "rw", ""))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Exec(`
		INSERT INTO crawls (id, topic_id, model_id, strategy, options, status, created_at, queue, fetched) VALUES
			(50, 26, 26, 'learner', '{"second":"test","second_share":20}', 'running', 22, 50, 2);
		INSERT INTO fetches (id, crawl_id, n, url, final_url, host, outcome, at, cost, pick) VALUES
			(950, 50, 1, 'http://a.test/1', 'http://a.test/1', 'a.test', 'ok', 23, 1, 1),
			(951, 50, 2, 'http://a.test/2', 'http://a.test/2', 'a.test', 'robots', 24, 0, -2);
		INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, depth, note, path, second, pick) VALUES
			(50, 'http://a.test/3', 'queued', '[7]', 3, 1, 1, x'01', x'02', '{"priority":[4],"parent":1}', 3),
			(50, 'http://a.test/4', 'queued', '[9]', 4, 1, 1, x'01', x'02', '{"priority":[5],"parent":1}', 0);
		INSERT INTO learned (crawl_id, state, second) VALUES (50, x'01', x'02');`); err != nil {
		t.Fatal(err)
	}
	if err := plain.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Resume(t.Context(), mustOpen(t, path).DB, 50)
	if err != nil {
		t.Fatal(err)
	}
	queued := mustQueued(t, r)
	if len(queued) != 2 || queued[0].Priority[0] != 7 || queued[1].Priority[0] != 9 || queued[0].Note != nil || r.Stored == nil || r.Learned != nil {
		t.Errorf("%+v waits, read again: %v, learned %q", queued, r.Stored != nil, r.Learned)
	}
	picked := []strategy.PickCost{{N: 1, Cost: 1}, {N: -2}}
	if len(r.Picks) != 1 || r.Picks["http://a.test/3"] != 3 || !slices.Equal(r.Picked, picked) {
		t.Errorf("picks %v and %v", r.Picks, r.Picked)
	}
}

// The crawls of a database from before strategies learned can go on with one that learns, and keep what strategies carried along paths.
func TestUpdateKeepsCrawls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nightjar.db")
	dbtest.OldVersion(t, path, "../../store/testdata", 1)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Resume(t.Context(), s.DB, 2)
	if err != nil || r.Learned != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	paths := map[string]string{}
	for _, e := range mustQueued(t, r) {
		if paths[e.URL] = string(e.Path); e.Note != nil {
			t.Errorf("the note of %s is %q", e.URL, e.Note)
		}
	}
	if want := map[string]string{"http://h0.test/p0": "", "http://h0.test/p6": `{"alpha":[0.25,0.75]}`}; !maps.Equal(paths, want) {
		t.Errorf("the links go on from %q", paths)
	}
	if trail, err := finds.Trail(t.Context(), s.DB, 2); err != nil || len(trail) != 1 || len(trail[0].Why) != 0 || len(trail[0].Evidence) != 0 {
		t.Errorf("%+v, %v", trail, err)
	}
	if v, err := ByID(t.Context(), s.DB, 2); err != nil || !v.LearnedAt.IsZero() || v.Learned != 0 || v.Fetched != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	mustLearn(t, s, Crawl{ID: 2}, 3)
	if n := storetest.Count(t, s, "SELECT count(*) FROM learned WHERE crawl_id = 2"); n != 1 {
		t.Errorf("%d states are kept", n)
	}
}
