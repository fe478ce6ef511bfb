package days

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/corpus"
	"nightjar/model"
)

// TestRealDays trains on sessions of real webs by the command line, and lives days with some of them. TestMadeUpDay lives a day
// on a made-up web.
func TestRealDays(t *testing.T) {
	dir := corpora(t)
	for _, r := range recordings {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			o := mustOpen(t, dir, r)
			for _, topic := range r.topics {
				file := o.mustWalk(t, topic)
				o.trains(t, topic, file)
				if topic == r.lived {
					o.lives(t, topic, file)
				}
			}
		})
	}
	t.Run("wikispeedia", func(t *testing.T) {
		t.Parallel()
		o := mustOpen(t, dir, recording{name: "wikispeedia", files: []string{"wikispeedia/articles.warc.gz"}, labels: "wikispeedia/labels.tsv"})
		games, err := corpus.ReadGames([]string{filepath.Join(dir, "wikispeedia", "games_unfinished.tsv"), filepath.Join(dir, "wikispeedia", "games_finished.tsv")})
		if err != nil {
			t.Fatal(err)
		}
		const topic = "subject.Science.Physics.Space_Astronomy"
		events, _, err := corpus.Games(t.Context(), o.replay, games, o.known, corpus.GamesOptions{Category: topic, Half: 1, Pages: pagesOfSession, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		file := mustSession(t, events)
		o.trains(t, topic, file)
		o.lives(t, topic, file)
	})
}

// pagesOfNight is how many pages a night fetches: few, since all of this has two minutes.
const pagesOfNight = 120

// lives lives a day with a session.
func (o *opened) lives(t *testing.T, topic, file string) {
	t.Helper()
	labelled := o.known.With(topic)
	d := &day{session: file, word: "the", useful: func(url string) bool { return labelled[url] }, pages: pagesOfNight}
	d.live(t, serveWeb(t, o.replay))
}

// trains trains on a session file by the command line, and crawls the recording with the model.
func (o *opened) trains(t *testing.T, topic, file string) {
	t.Helper()
	home := t.TempDir()
	bundle := filepath.Join(home, "m.bundle")
	var trained struct {
		Pages, Targets, Clusters int
		Report                   *model.Report
	}
	out := run(t, home, "train", "--json", "--session", file, "--out", bundle)
	if err := json.Unmarshal([]byte(out), &trained); err != nil {
		t.Fatal(err)
	}
	r := trained.Report
	if r == nil || r.Verdict == "" || r.Folds == 0 || r.Rehearsal == nil || len(r.Rehearsal.Folds) == 0 {
		t.Errorf("%s %s: the report is incomplete: %+v", o.name, topic, r)
		return
	}
	t.Logf("%s %s: %d pages, %d useful: %s", o.name, topic, trained.Pages, trained.Targets, r.Verdict)
	if o.name == "uic" || o.start == "" {
		return // opening a large recording takes seconds; the day on it crawls
	}
	o.crawls(t, home, bundle, topic)
}

// crawls crawls the recording with a model by the command line.
func (o *opened) crawls(t *testing.T, home, bundle, topic string) {
	t.Helper()
	var crawled struct {
		Fetched int
		Finds   []struct {
			URL, Title string
			Why        []any
		}
	}
	out := run(t, home, "crawl", "--json", "--model", bundle, "--replay", strings.Join(o.paths, ","), "--start", o.start, "--budget", "60",
		"--labels", o.labels, "--relevant", topic)
	if err := json.Unmarshal([]byte(out), &crawled); err != nil {
		t.Fatal(err)
	}
	if crawled.Fetched == 0 || len(crawled.Finds) == 0 {
		t.Errorf("%s %s: %d pages fetched, %d finds", o.name, topic, crawled.Fetched, len(crawled.Finds))
	}
	for _, f := range crawled.Finds {
		if len(f.Why) == 0 {
			t.Errorf("%s %s: find %s does not say why", o.name, topic, f.URL)
		}
	}
}
