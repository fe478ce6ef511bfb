package corpus

import (
	"strings"
	"testing"
)

// wiki is a small encyclopedia: gold and iron are metals, reached by way of science.
var wiki = site{
	"/africa": "/gold /earth", "/earth": "/science /africa /iron", "/science": "/metal /art", "/metal": "/gold /iron /science",
	"/gold": "/metal /africa", "/iron": "/metal", "/art": "/africa", "/au": "-> /gold",
}

var wikiPaths = []string{"/africa", "/earth", "/science", "/metal", "/gold", "/iron", "/art", "/au"}

// game writes a line of a games file from paths.
func game(paths string) string {
	words := strings.Fields(paths)
	for i, w := range words {
		if w != "<" {
			words[i] = host + w
		}
	}
	return strings.Join(words, ";")
}

// unfinished writes a line of six columns.
func unfinished(paths, target string) string {
	return "user\t1297054935\t180\t" + game(paths) + "\t" + host + target + "\ttimeout"
}

func readGames(t *testing.T, lines ...string) []Game {
	t.Helper()
	games, err := ReadGames([]string{file(t, "games.tsv", "# a comment\n"+strings.Join(lines, "\n")+"\n")})
	if err != nil {
		t.Fatal(err)
	}
	return games
}

func TestGames(t *testing.T) {
	metals := []string{"/gold metals", "/iron metals", "/art culture"}
	tests := []struct {
		name  string
		games []string
		pages int
		want  string
	}{
		{"finished", []string{game("/africa /earth /science /metal /gold")}, 10,
			"open /africa, follow /earth, follow /science, follow /metal, follow /gold, useful /gold, submit"},
		{"other categories are not played", []string{game("/africa /gold"), game("/science /art")}, 10,
			"open /africa, follow /gold, useful /gold, submit"},
		{"unfinished, with Back, crossing a page of the category",
			[]string{unfinished("/earth /iron < /science /metal < < /africa", "/gold")}, 10,
			"open /earth, follow /iron, useful /iron, back /earth, follow /science, follow /metal, back /science, back /earth, follow /africa, submit"},
		{"Back at the first page does nothing", []string{unfinished("/earth < < /iron", "/gold")}, 10,
			"open /earth, follow /iron, useful /iron, submit"},
		{"a page is marked once", []string{game("/africa /gold /metal /gold")}, 10,
			"open /africa, follow /gold, useful /gold, follow /metal, follow /gold, submit"},
		{"a game that crosses a page the recording lacks", []string{game("/nowhere /metal /gold"), game("/metal /gold")}, 10,
			"open /metal, follow /gold, useful /gold, submit"},
		{"too long a game for the pages", []string{game("/africa /earth /science /metal /gold"), game("/metal /iron")}, 3,
			"open /metal, follow /iron, useful /iron, submit"},
	}
	replay := open(t, record(t, wiki, wikiPaths...))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events, summary, err := Games(t.Context(), replay, readGames(t, tt.games...), labels(t, metals...),
				GamesOptions{Category: "metals", Pages: tt.pages, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if got := story(events); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if summary.Pages > tt.pages || summary.Topic != "metals" || summary.Useful != strings.Count(tt.want, "useful") ||
				summary.Backs != strings.Count(tt.want, "back") {
				t.Errorf("summary %+v", summary)
			}
			written(t, events)
		})
	}
}

// TestGamesHalf checks that the halves share no target, that both make the category, and that crossed pages of the other
// half are not marked.
func TestGamesHalf(t *testing.T) {
	replay := open(t, record(t, wiki, wikiPaths...))
	games := readGames(t, game("/africa /gold /metal /iron"), game("/earth /iron /metal /gold"))
	l := labels(t, "/gold metals", "/iron metals")
	marked := make(map[string]int)
	for half := 1; half <= 2; half++ {
		events, _, err := Games(t.Context(), replay, games, l, GamesOptions{Category: "metals", Half: half, Pages: 10, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		got := story(events)
		if strings.Count(got, "useful") != 1 || strings.Count(got, "open") != 1 {
			t.Errorf("half %d: %s", half, got)
		}
		for _, target := range []string{"/gold", "/iron"} {
			marked[target] += strings.Count(got, "useful "+target)
		}
	}
	if marked["/gold"] != 1 || marked["/iron"] != 1 {
		t.Errorf("the halves mark %v", marked)
	}
}

func TestGamesSeed(t *testing.T) {
	path := record(t, wiki, wikiPaths...)
	games := readGames(t, game("/africa /gold"), game("/earth /iron"), game("/metal /gold"), game("/science /metal /iron"))
	made := func(seed uint64) string {
		events, _, err := Games(t.Context(), open(t, path), games, labels(t, "/gold metals", "/iron metals"),
			GamesOptions{Category: "metals", Pages: 10, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return written(t, events)
	}
	if first, again := made(1), made(1); first != again {
		t.Error("the same seed makes other bytes")
	}
	if made(1) == made(2) {
		t.Error("another seed makes the same session")
	}
}

func TestGamesErrors(t *testing.T) {
	replay := open(t, record(t, wiki, wikiPaths...))
	l := labels(t, "/gold subject.metals", "/art subject.culture")
	tests := []struct {
		name, category, game, want string
	}{
		{"unknown category", "metals", game("/africa /gold"), "subject.metals"},
		{"category without games", "subject.culture", game("/africa /gold"), "no game ends at any of the 1 pages"},
		{"nothing reached", "subject.metals", unfinished("/earth /science", "/gold"), "no page of"},
		{"only games with missing pages", "subject.metals", game("/nowhere /gold"), "the recording lacks"},
		{"too few pages", "subject.metals", game("/africa /earth /science /metal /gold"), "more than 2 pages"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := Games(t.Context(), replay, readGames(t, tt.game), l, GamesOptions{Category: tt.category, Pages: 2})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}

func TestReadGamesNamesTheLine(t *testing.T) {
	for _, bad := range []string{"a\tb", "<;" + host + "/a", "u\t1\t2\t\t" + host + "/a\ttimeout"} {
		_, err := ReadGames([]string{file(t, "games.tsv", "# first\n"+game("/a /b")+"\n"+bad+"\n")})
		if err == nil || !strings.Contains(err.Error(), "games.tsv line 3") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// FuzzParseGame checks that whatever line is taken for a game starts at an article and ends somewhere.
func FuzzParseGame(f *testing.F) {
	for _, line := range []string{game("/africa /gold"), unfinished("/a < /b", "/c"), "", ";", "<;<", "\t\t\t\t\t", "http://a.test/%zz;<"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		g, err := parseGame(line)
		if err != nil {
			return
		}
		if len(g.Clicks) == 0 || g.Clicks[0] == "" || g.Clicks[0] == backClick {
			t.Errorf("%q is taken for the game %q", line, g.Clicks)
		}
	})
}

func TestSessionsOfTopicsHaveTheirOwnIDs(t *testing.T) {
	replay := open(t, record(t, wiki, wikiPaths...))
	ids := map[string]string{}
	for _, topic := range []string{"Metals", "Minerals"} {
		s, err := newRecorder(replay, topic, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.events {
			for _, id := range []string{e.ID, e.Session} {
				if other, taken := ids[id]; taken && other != topic {
					t.Errorf("%s has id %s of %s", topic, id, other)
				}
				ids[id] = topic
			}
		}
	}
}
