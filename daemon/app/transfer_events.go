package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
)

// importEvents stores the events of a session file and returns the topics to train. Every line is checked before the first
// is stored.
func importEvents(ctx context.Context, dir string, st *store.Store, r io.Reader) (*Imported, []int64, error) {
	scratch, err := NewScratch(dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = scratch.Close() }() // it goes with the process
	file, err := session.Check(ctx, r, scratch)
	if err != nil {
		return nil, nil, wrongLine(err)
	}
	in, err := sessions.Import(ctx, st, events(file), file.LastSubmit())
	refused, invalid := errors.AsType[*protocol.Invalid](err)
	switch {
	case errors.Is(err, sessions.ErrImportLater):
		return nil, nil, command.WithHint(err, "look at the sessions in a while; importing the file again does no harm")
	case err != nil && ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case invalid:
		return nil, nil, wrongLine(&session.LineError{Line: lineOf(file, refused.ID), Err: err})
	case err != nil:
		return nil, nil, wrongLine(err)
	case len(in.Acked) == 0:
		return nil, nil, fmt.Errorf("nothing of the file may be stored: %s", leftOut(in.Refused)[0].Reason)
	}
	done := &Imported{Events: len(in.Acked), Known: in.Known, Sessions: len(file.Sessions()), LeftOut: leftOut(in.Refused)}
	topics, err := submittedTopics(ctx, st, file.Sessions(), done)
	return done, slices.Compact(slices.Sorted(slices.Values(append(topics, in.Submitted...)))), err
}

// events gives the events of a file.
func events(file *session.Checked) iter.Seq2[session.Event, error] {
	return func(yield func(session.Event, error) bool) {
		for line, err := range file.All() {
			if !yield(line.Event, err) {
				return
			}
		}
	}
}

// lineOf returns the line of an event in a file, 0 for none.
func lineOf(file *session.Checked, id string) int {
	for line, err := range file.All() {
		if err == nil && line.Event.ID == id {
			return line.Number
		}
	}
	return 0
}

// leftOut counts refusals by reason, the most frequent first.
func leftOut(refused []session.Refusal) []LeftOut {
	var all []LeftOut
	for _, r := range refused {
		i := slices.IndexFunc(all, func(l LeftOut) bool { return l.Reason == r.Message })
		if i < 0 {
			i, all = len(all), append(all, LeftOut{Reason: r.Message})
		}
		all[i].Events++
	}
	slices.SortStableFunc(all, func(a, b LeftOut) int { return cmp.Compare(b.Events, a.Events) })
	return all
}

// submittedTopics returns the topics of those of the sessions that are submitted, and notes why others are not.
func submittedTopics(ctx context.Context, st *store.Store, uuids []string, done *Imported) ([]int64, error) {
	stored := map[string]bool{}
	for _, uuid := range uuids {
		stored[uuid] = true
	}
	all, err := sessions.List(ctx, st.DB)
	if err != nil {
		return nil, err
	}
	var topics []int64
	for _, s := range all {
		for _, part := range s.Parts { // of a session that browsers recorded together, any part may be in the file
			stored[s.UUID] = stored[s.UUID] || stored[part.UUID]
		}
		if stored[s.UUID] && s.Problem != "" {
			done.Problems = append(done.Problems, fmt.Sprintf("session %s of %q stays open: %s", s.UUID, s.Topic, s.Problem))
		}
		if stored[s.UUID] && s.Status == "submitted" && !slices.Contains(topics, s.TopicID) {
			topics = append(topics, s.TopicID)
		}
	}
	return topics, nil
}

// Scratch is a private file for as long as the process needs it. Where the system lets an open file be removed, it has no
// name from the beginning, so that nothing of it is left when the process is killed.
type Scratch struct{ *os.File }

// NewScratch makes a scratch file in a folder.
func NewScratch(dir string) (Scratch, error) {
	f, err := os.CreateTemp(dir, "import-*.part") // mode 0600
	if err != nil {
		return Scratch{}, command.WithHint(fmt.Errorf("make a file for what is read: %w", err), "check that %s is writable and its disk is not full", dir)
	}
	_ = os.Remove(f.Name()) // systems that refuse it remove it in Close
	return Scratch{f}, nil
}

// Close removes the file.
func (s Scratch) Close() error {
	err := s.File.Close()
	_ = os.Remove(s.Name()) // it has no name any more, on most systems
	return err
}
