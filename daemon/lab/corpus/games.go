package corpus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/lab/recording"
)

// backClick stands for the Back button among the clicks of a game.
const backClick = "<"

// Game is one person's path through linked articles to a given one.
type Game struct {
	Clicks []string // canonical URLs from the start, and backClick
	Target string   // the article to reach
}

// ReadGames reads games. A line with one column is a finished game, whose last click is the target; a line with six columns
// (user, time, seconds, clicks, target, end) is an unfinished one. Clicks are separated by semicolons.
func ReadGames(paths []string) ([]Game, error) {
	var games []Game
	err := eachLine(paths, func(line string) error {
		g, err := parseGame(line)
		if err == nil {
			games = append(games, g)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read games: %w", err)
	}
	return games, nil
}

func parseGame(line string) (Game, error) {
	columns := strings.Split(line, "\t")
	var g Game
	switch len(columns) {
	case 1:
		g.Clicks = clicks(columns[0])
		g.Target = g.Clicks[len(g.Clicks)-1]
	case 6:
		g.Clicks, g.Target = clicks(columns[3]), canonical(columns[4])
	default:
		return Game{}, fmt.Errorf("%d columns; a finished game has 1, an unfinished one 6", len(columns))
	}
	if g.Clicks[0] == backClick || g.Clicks[0] == "" {
		return Game{}, errors.New("the game has no start article")
	}
	return g, nil
}

func clicks(column string) []string {
	all := strings.Split(column, ";")
	for i, c := range all {
		if c != backClick {
			all[i] = canonical(c)
		}
	}
	return all
}

// GamesOptions select the games of a session.
type GamesOptions struct {
	Topic    string // of the session; "" means the last part of the category
	Category string // label of the useful pages
	Half     int    // 1 or 2: only this random half of the category is useful; 0: all of it
	Pages    int    // maximum of distinct pages
	Seed     uint64
}

// Games makes a session of the games to pages of a category, in random order, as long as the pages fit. Clicks become
// visits, backClick becomes Back, and each visited page of the category (or of its half) is marked Useful. Games with pages
// that the recording lacks are skipped.
func Games(ctx context.Context, replay *recording.Replay, games []Game, labels *Labels, o GamesOptions) ([]protocol.Event, Summary, error) {
	category := labels.With(o.Category)
	if len(category) == 0 {
		return nil, Summary{}, fmt.Errorf("no page has the label %q; some labels are %s", o.Category, strings.Join(labels.Suggest(o.Category), ", "))
	}
	useful := Half(category, o.Half, o.Seed)
	chosen := slices.DeleteFunc(slices.Clone(games), func(g Game) bool { return !useful[g.Target] })
	if len(chosen) == 0 {
		return nil, Summary{}, fmt.Errorf("no game ends at any of the %d pages of %q", len(useful), o.Category)
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x67616d6573))
	rng.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	if o.Topic == "" {
		o.Topic = strings.ReplaceAll(o.Category[strings.LastIndexByte(o.Category, '.')+1:], "_", " ")
	}
	s, err := newRecorder(replay, o.Topic, o.Seed)
	if err != nil {
		return nil, Summary{}, err
	}
	if err := s.playAll(ctx, replay, chosen, useful, o); err != nil {
		return nil, Summary{}, err
	}
	return s.finish()
}

// Half returns one of two random halves of a category, or all of it for which = 0. A seed always gives the same halves.
func Half(category map[string]bool, which int, seed uint64) map[string]bool {
	if which == 0 {
		return category
	}
	urls := slices.Sorted(maps.Keys(category))
	rng := rand.New(rand.NewPCG(seed, 0x68616c66))
	rng.Shuffle(len(urls), func(i, j int) { urls[i], urls[j] = urls[j], urls[i] })
	cut := (len(urls) + 1) / 2
	if which == 1 {
		urls = urls[:cut]
	} else {
		urls = urls[cut:]
	}
	part := make(map[string]bool, len(urls))
	for _, url := range urls {
		part[url] = true
	}
	return part
}

// playAll plays games until the next one would add too many pages. It does not try shorter games instead, since the session
// would then end with the shortest ones.
func (s *recorder) playAll(ctx context.Context, replay *recording.Replay, games []Game, useful map[string]bool, o GamesOptions) error {
	known := make(map[string]bool)
	for _, url := range replay.Pages() {
		known[url] = true
	}
	for _, g := range games {
		if slices.ContainsFunc(g.Clicks, func(c string) bool { return c != backClick && !known[c] }) {
			s.summary.Dropped++
			continue
		}
		if len(s.seen)+s.fresh(g) > o.Pages {
			if s.summary.Games == 0 {
				continue // the session needs at least one game
			}
			break
		}
		if err := s.play(ctx, g, useful); err != nil {
			return err
		}
	}
	switch {
	case s.summary.Games == 0 && s.summary.Dropped == len(games):
		return fmt.Errorf("all %d games to %q visit pages that the recording lacks", len(games), o.Category)
	case s.summary.Games == 0:
		return fmt.Errorf("every game to %q has more than %d pages", o.Category, o.Pages)
	case len(s.marked) == 0:
		return fmt.Errorf("%[2]d games reached no page of %[1]q; unfinished games seldom reach one", o.Category, s.summary.Games)
	case len(s.seen) < o.Pages/2:
		s.summary.Note = "there are no more games"
	}
	return nil
}

// fresh counts the pages of a game that are new to the session.
func (s *recorder) fresh(g Game) int {
	pages := make(map[string]bool)
	for _, c := range g.Clicks {
		if c != backClick && !s.seen[c] {
			pages[c] = true
		}
	}
	return len(pages)
}

// play plays a game: the first address is typed, the others are clicked.
func (s *recorder) play(ctx context.Context, g Game, useful map[string]bool) error {
	s.summary.Games++
	depth := 0 // pages of this game that Back can return to
	for i, click := range g.Clicks {
		var err error
		switch {
		case click == backClick && depth <= 1:
			continue // Back on the first article has no effect
		case click == backClick:
			depth--
			err = s.back()
		case i == 0:
			depth = 1
			err = s.Open(ctx, click)
		default:
			depth++
			err = s.Follow(ctx, click)
		}
		if err == nil && click != backClick {
			err = s.visited(func(url string) bool { return useful[url] })
		}
		if err != nil {
			return fmt.Errorf("play the game to %s: %w", g.Target, err)
		}
	}
	return nil
}
