package ingest

import (
	"context"
	"errors"

	"nightjar/daemon/browse/linkstates"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
)

// Limits of requests about links. Beyond them the answer is empty: what is marked beside links must not keep events waiting.
const (
	linkRate  = 5 // per second
	linkBurst = 20
)

// sendKnown sends the state of links: in the topic of the browser's open session, or else in all topics.
func (s *stream) sendKnown(ctx context.Context, data []byte, allowed bool) error {
	answer := protocol.Known{Type: protocol.TypeKnown, Known: map[string]string{}}
	urls, err := protocol.OpenKnown(data)
	if err != nil {
		return refuse(protocol.CodeOf(err), err.Error())
	}
	if allowed {
		topic, err := s.openTopic(ctx)
		if err == nil {
			answer.Known, err = linkstates.Of(ctx, s.server.store.DB, topic, urls)
		}
		if err != nil {
			s.server.log.Error("cannot read the state of links", "error", err)
			answer.Known = map[string]string{}
		}
	}
	return s.send(ctx, answer)
}

// openTopic returns the topic of the browser's open session, or 0.
func (s *stream) openTopic(ctx context.Context) (int64, error) {
	newest, err := sessions.Newest(ctx, s.server.store.DB, s.client)
	if errors.Is(err, store.ErrNotFound) || err == nil && newest.Status != sessions.Recording && newest.Status != sessions.Paused {
		return 0, nil
	}
	return newest.TopicID, err
}
