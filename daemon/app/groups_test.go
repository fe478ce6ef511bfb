package app

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/thesus/explore"
)

// With a daemon and without one, groups are the same, words find the same pages, and errors say what to do.
func TestGroups(t *testing.T) {
	here := Config{Data: t.TempDir()}
	if err := here.Complete(os.Getenv); err != nil {
		t.Fatal(err)
	}
	if err := WithStore(t.Context(), here.Data, func(*store.Store) error { return nil }); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	var pages, answers []string
	for name, c := range map[string]Config{"here": here, "daemon": mustServe(t).Config} {
		path := filepath.Join(c.Data, "nightjar.db")
		storetest.Exec(t, path, `INSERT INTO link_page (id, url, site) VALUES (1, 'http://a.test/', 'a.test'), (2, 'http://b.test/', 'b.test'), (3, 'http://c.test/', 'c.test')`)
		storetest.Exec(t, path, `INSERT INTO word (id, word) VALUES (1, 'dog')`)
		storetest.Exec(t, path, `INSERT INTO link (id, src, dst, pos) VALUES (1, 1, 3, 0), (2, 2, 3, 0)`)
		storetest.Exec(t, path, `INSERT INTO link_word (link, word, n) VALUES (1, 1, 1), (2, 1, 1)`)
		var ran bool
		v, err := MakeGroups(t.Context(), c, log, GroupsRequest{}, GroupsWatch{Began: func(in bool) {
			if ran = true; in != (name == "here") {
				t.Errorf("%s: made here: %v", name, in)
			}
		}})
		if err != nil || !ran {
			t.Fatalf("%s: %v", name, err)
		}
		a, err := AskGroups(t.Context(), c, log, GroupsRequest{Newest: true}, "dog")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pages, answers = append(pages, asJSON(t, v.Pages)), append(answers, asJSON(t, a))
		for _, test := range []struct {
			r          GroupsRequest
			want, hint string
		}{
			{GroupsRequest{Topic: "tides"}, `topic "tides": not found`, "nightjar export lists the topics"},
			{GroupsRequest{Crawl: 9}, "crawl 9: not found", "Nights"},
			{GroupsRequest{Session: "x"}, "session x: not found", "sessions"},
			{GroupsRequest{Ontology: "x"}, `x`, "explore ontology"},
			{GroupsRequest{Options: explore.GroupingOptions{Words: 99}}, explore.ErrOptions.Error(), ""},
		} {
			_, err := MakeGroups(t.Context(), c, log, test.r, GroupsWatch{})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(command.Hint(err), test.hint) {
				t.Errorf("%s: %+v: %v (%s), want %q (%s)", name, test.r, err, command.Hint(err), test.want, test.hint)
			}
		}
	}
	if pages[0] != pages[1] || !strings.Contains(pages[0], "http://c.test/") {
		t.Errorf("pages %s and %s", pages[0], pages[1])
	}
	if answers[0] != answers[1] || !strings.Contains(answers[0], "http://c.test/") {
		t.Errorf("answers %s and %s", answers[0], answers[1])
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
