package days

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/effort"
	"nightjar/model"
)

// TestRealDays trains on sessions of real webs by the command line, and lives days with some of them: at night with all, for each
// change with one of each kind. TestMadeUpDay lives a day on a made-up web.
func TestRealDays(t *testing.T) {
	effort.Long(t)
	dir := corpora(t)
	for _, r := range recordings {
		t.Run(r.name, func(t *testing.T) {
			if r.each == "" {
				effort.AtNight(t)
			}
			t.Parallel()
			o := mustOpen(t, dir, r)
			topics, finds := r.topics, 0
			if !effort.Nightly() {
				topics = topics[:1]
			}
			for _, topic := range topics {
				file := o.mustWalk(t, topic)
				finds += o.trains(t, topic, file)
				if topic == r.lived && (r.each == "lives" || effort.Nightly()) {
					o.lives(t, topic, file)
				}
			}
			if finds == 0 && o.crawled() {
				t.Errorf("crawls of %s bring no find", o.name)
			}
		})
	}
	t.Run("wikispeedia", func(t *testing.T) {
		t.Parallel()
		o := mustOpen(t, dir, recordedWeb{name: "wikispeedia", files: []string{"wikispeedia/articles.warc.gz"}, labels: "wikispeedia/labels.tsv"})
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
		if effort.Nightly() {
			o.lives(t, topic, file)
		}
	})
}

// pagesOfNight is how many pages a night fetches: few, since all of this has a minute.
const pagesOfNight = 120

// lives lives a day with a session.
func (o *opened) lives(t *testing.T, topic, file string) {
	t.Helper()
	labelled := o.known.With(topic)
	d := &day{session: file, word: "the", useful: func(url string) bool { return labelled[url] }, pages: pagesOfNight}
	d.live(t, serveWeb(t, o.replay))
}

// trains trains on a session file by the command line, crawls the recording with the model, and returns the number of finds.
func (o *opened) trains(t *testing.T, topic, file string) (finds int) {
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
		return 0
	}
	t.Logf("%s %s: %d pages, %d useful: %s", o.name, topic, trained.Pages, trained.Targets, r.Verdict)
	if !o.crawled() {
		return 0
	}
	return o.crawls(t, home, bundle, topic)
}

// crawled reports whether the command line crawls the recording, too. Opening a large one takes seconds; the day on it crawls.
func (o *opened) crawled() bool { return o.name != "uic" && o.start != "" }

// crawls crawls the recording with a model by the command line, and returns the number of finds. A strategy may have nothing to say
// about a single link.
func (o *opened) crawls(t *testing.T, home, bundle, topic string) (finds int) {
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
	if crawled.Fetched == 0 {
		t.Errorf("%s %s: no page was fetched", o.name, topic)
	}
	unsaid := 0
	for _, f := range crawled.Finds {
		if len(f.Why) == 0 {
			unsaid++
		}
	}
	if unsaid > 1+len(crawled.Finds)/10 {
		t.Errorf("%s %s: %d of %d finds do not say why", o.name, topic, unsaid, len(crawled.Finds))
	}
	return len(crawled.Finds)
}
