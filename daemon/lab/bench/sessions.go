package bench

import (
	"context"
	"fmt"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
)

// Sessions are the sessions that a task learns from.
func (l *Library) Sessions(ctx context.Context, t *Task, seed uint64) ([]*session.Session, error) {
	if len(t.Sessions) > 0 {
		return session.ReadFiles(l.paths(t.Sessions))
	}
	var all []*session.Session
	made, err := l.Events(ctx, t, seed)
	for _, events := range made {
		recs, err := session.Fold(events)
		if err != nil {
			return nil, err
		}
		all = append(all, recs...)
	}
	return all, err
}

// Events are those of the games of a task, or of each of its walks.
func (l *Library) Events(ctx context.Context, t *Task, seed uint64) ([][]protocol.Event, error) {
	if t.Games != nil {
		events, err := l.play(ctx, t, seed)
		return [][]protocol.Event{events}, err
	}
	var all [][]protocol.Event
	for i, w := range t.Walks {
		// Walks with the same seed must not draw the same IDs.
		events, err := l.walk(ctx, t, w, seed+uint64(i)<<32)
		if err != nil {
			return nil, err
		}
		all = append(all, events)
	}
	return all, nil
}

func (l *Library) play(ctx context.Context, t *Task, seed uint64) ([]protocol.Event, error) {
	games, err := l.Games(t.Games.Files)
	if err != nil {
		return nil, err
	}
	replay, err := l.Replay(t.Corpus)
	if err != nil {
		return nil, err
	}
	labels, err := l.Labels(t.Labels, t.Corpus, t.Rules)
	if err != nil {
		return nil, err
	}
	o := corpus.GamesOptions{Category: t.Relevant[0], Half: t.Games.Half, Pages: t.Games.Pages, Seed: seed}
	events, _, err := corpus.Games(ctx, replay, games, labels, o)
	if err != nil {
		return nil, fmt.Errorf("make a session of games: %w", err)
	}
	return events, nil
}

func (l *Library) walk(ctx context.Context, t *Task, w Walk, seed uint64) ([]protocol.Event, error) {
	replay, err := l.Replay(w.Corpus)
	if err != nil {
		return nil, err
	}
	labels, err := l.Labels(w.Labels, w.Corpus, t.Rules)
	if err != nil {
		return nil, err
	}
	graph, err := l.Graph(w.Corpus)
	if err != nil {
		return nil, err
	}
	o := corpus.WalkOptions{Relevant: t.Relevant[0], Starts: w.Starts, Pages: w.Pages, Targets: w.Targets, Seed: seed, Graph: graph}
	events, _, err := corpus.Walk(ctx, replay, labels, o)
	if err != nil {
		return nil, fmt.Errorf("make a walk: %w", err)
	}
	return events, nil
}
