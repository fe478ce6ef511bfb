package app

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/base/command"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
)

// TestMakeMapSaysWhatIsWrong: with a daemon and without one, the errors are the same, and say what to do.
func TestMakeMapSaysWhatIsWrong(t *testing.T) {
	here := Config{Data: t.TempDir()}
	if err := here.Complete(os.Getenv); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Config{"here": here, "daemon": mustServe(t).Config} {
		if name == "here" { // with a database
			if err := WithStore(t.Context(), c.Data, func(*store.Store) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			r          MapRequest
			want, hint string
		}{
			{MapRequest{Topic: "tides"}, `topic "tides": not found`, "nightjar export lists the topics"},
			{MapRequest{Crawl: 9}, "crawl 9: not found", "Nights"},
			{MapRequest{Map: 9}, "map 9: not found", "Communities"},
			{MapRequest{Documents: []communities.Source{{Name: "a.pdf", Body: []byte("%PDF-1.4 broken")}}}, "this PDF is broken", ""},
			{MapRequest{Documents: []communities.Source{{Name: "a.txt", Body: []byte("Dear Ann,\nsee you soon.\n")}}}, "no references were found", ""},
			{MapRequest{Documents: []communities.Source{{Name: "a.txt", Body: []byte("x")}}, Options: maps.Options{Search: "elsewhere"}}, `"elsewhere" is no way to search`, ""},
		} {
			_, err := MakeMap(t.Context(), c, slog.New(slog.DiscardHandler), test.r, MapWatch{
				Plan: func(trainingset.Plan) { t.Errorf("%s: %+v has a plan", name, test.r) },
			})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(command.Hint(err), test.hint) {
				t.Errorf("%s: %+v: %v (%s), want %q (%s)", name, test.r, err, command.Hint(err), test.want, test.hint)
			}
		}
		if running := Running(c.Data); running != (name == "daemon") {
			t.Errorf("%s: afterwards a daemon runs: %v", name, running)
		}
	}
}

// TestMakeMapNeedsData: a topic or a crawl of a folder that does not exist is an error, and no folder is made for it.
func TestMakeMapNeedsData(t *testing.T) {
	c := Config{Data: filepath.Join(t.TempDir(), "none"), Listen: DefaultListen}
	for _, r := range []MapRequest{{Topic: "tides"}, {Crawl: 1}, {Map: 1}} {
		if _, err := MakeMap(t.Context(), c, slog.New(slog.DiscardHandler), r, MapWatch{}); !errors.Is(err, os.ErrNotExist) || command.Hint(err) == "" {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := os.Stat(c.Data); err == nil {
		t.Error("a folder was made")
	}
}

// TestMakeMapAfterKill: the run file that a killed daemon left is not taken for that of the one that makes the map.
func TestMakeMapAfterKill(t *testing.T) {
	c := Config{Data: t.TempDir()}
	if err := c.Complete(os.Getenv); err != nil {
		t.Fatal(err)
	}
	if err := WithStore(t.Context(), c.Data, func(*store.Store) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d := &dataDir{path: c.Data}
	if err := d.writeRunInfo(runInfo{Listen: "127.0.0.1:1", Secret: "old", PID: 1}); err != nil {
		t.Fatal(err)
	}
	_, err := MakeMap(t.Context(), c, slog.New(slog.DiscardHandler), MapRequest{Crawl: 9}, MapWatch{})
	if err == nil || !strings.Contains(err.Error(), "crawl 9: not found") {
		t.Errorf("%v", err)
	}
}
