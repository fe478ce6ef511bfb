package corpus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/daemon/protocol"
)

// backClick is how the Back button is written among the clicks of a game.
const backClick = "<"

// Game is one person's way through linked articles towards a given one.
type Game struct {
	Clicks []string // canonical URLs from the start on, and backClick
	Target string   // the article to be reached
}

// ReadGames reads games: lines of one column are finished ones, whose last click is the target; lines of six columns
// (user, time, seconds, clicks, target, end) are unfinished ones. Clicks are separated by semicolons.
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
		return Game{}, fmt.Errorf("%d columns, where a finished game has 1 and an unfinished one 6", len(columns))
	}
	if g.Clicks[0] == backClick || g.Clicks[0] == "" {
		return Game{}, errors.New("the game starts at no article")
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

// GamesOptions say which games make a session.
type GamesOptions struct {
	Topic    string // of the session; empty takes the category's last part
	Category string // label of the pages that are useful
	Half     int    // 1 or 2: only this random half of the category is; 0: all of it
	Pages    int    // distinct pages at most
	Seed     uint64
}

// Games makes a session of the games towards pages of a category, in random order, as long as its pages fit. The clicks
// are visits, backClick is Back, and each page of the category (or of its half) that is reached is marked Useful.
// Games with a page that the recording lacks are left out.
func Games(ctx context.Context, replay *fetch.Replay, games []Game, labels *Labels, o GamesOptions) ([]protocol.Event, Summary, error) {
	category := labels.With(o.Category)
	if len(category) == 0 {
		return nil, Summary{}, fmt.Errorf("no page has the label %q; there are for example %s", o.Category, strings.Join(labels.Suggest(o.Category), ", "))
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

// Half is one of two random halves of a category, the same two for every run with a seed; which = 0 is all of it.
func Half(category map[string]bool, which int, seed uint64) map[string]bool {
	if which == 0 {
		return category
	}
	var urls []string
	for url := range category {
		urls = append(urls, url)
	}
	slices.Sort(urls)
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

// playAll plays games until the next one would bring too many pages. Skipping that one and taking a shorter one instead
// would fill the session with the shortest games.
func (s *recorder) playAll(ctx context.Context, replay *fetch.Replay, games []Game, useful map[string]bool, o GamesOptions) error {
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
				continue // the session must hold something
			}
			break
		}
		if err := s.play(ctx, g, useful); err != nil {
			return err
		}
	}
	switch {
	case s.summary.Games == 0 && s.summary.Dropped == len(games):
		return fmt.Errorf("all %d games towards %q cross pages that the recording lacks", len(games), o.Category)
	case s.summary.Games == 0:
		return fmt.Errorf("no game towards %q has as few as %d pages", o.Category, o.Pages)
	case len(s.marked) == 0:
		return fmt.Errorf("no page of %q was reached in %d games; unfinished games alone seldom reach one", o.Category, s.summary.Games)
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

// play plays one game: the first article is typed, the others are clicked.
func (s *recorder) play(ctx context.Context, g Game, useful map[string]bool) error {
	s.summary.Games++
	depth := 0 // pages of this game that Back can return to
	for i, click := range g.Clicks {
		var err error
		switch {
		case click == backClick && depth <= 1:
			continue // pressed at the first article: nothing happened
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
			return fmt.Errorf("play game towards %s: %w", g.Target, err)
		}
	}
	return nil
}
