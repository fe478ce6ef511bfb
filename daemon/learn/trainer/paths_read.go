package trainer

import (
	"context"
	"fmt"

	"nightjar/crawler/feature"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/ways"
)

// ReadPaths returns the paths of a topic's submitted sessions and marked finds; see Paths. A combined topic has those of
// its members.
func ReadPaths(ctx context.Context, st *store.Store, topicID int64, sets feature.Sets) ([]ways.Path, error) {
	events, err := sessions.TopicEvents(ctx, st.DB, topicID)
	if err != nil {
		return nil, err
	}
	recs, err := session.Fold(events)
	if err != nil {
		return nil, fmt.Errorf("read paths: %w", err)
	}
	marked, err := trainingdata.MarkedFinds(ctx, st.DB, topicID, trainingdata.AllMarks)
	if err != nil {
		return nil, err
	}
	names, err := topics.Milestones(ctx, st.DB, topicID)
	if err != nil {
		return nil, err
	}
	return Paths(ctx, recs, marked, names, sets, model.DefaultSettings().States)
}
