package communities

import (
	"context"

	"nightjar/daemon/store"
)

func (m *Maker) work(ctx context.Context, id int64) {}

func (m *Maker) download(ctx context.Context, src Source) (Source, error) { return src, ErrNoSource }

// View returns a finished map, or ErrNotReady until it is done.
func (m *Maker) View(ctx context.Context, id int64) (*View, error) { return nil, ErrNotReady }

// Mark stores the person's mark on a page of a map that is done, which becomes a find of the topic when it is none. The
// action can be undone as that of a find; its topics have something new to learn from. The errors are ErrNotReady and
// ErrNotOnMap.
func (m *Maker) Mark(ctx context.Context, id, fetchID int64, mark string) (store.Acted, error) {
	return store.Acted{}, ErrNotOnMap
}

// MoreLikeThis makes a topic whose positive pages are the examples of a community, numbered from 1, and has it trained.
// They are its start pages, so that the next night crawls it. The same community gives the same topic.
func (m *Maker) MoreLikeThis(ctx context.Context, id int64, community int) (topicID int64, err error) {
	return 0, ErrFewToLike
}
