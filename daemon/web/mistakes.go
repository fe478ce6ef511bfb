package web

import (
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// mistakes are the errors of other packages about the person's input. Handlers return them as they are; their own text is
// shown, without what wraps them.
var mistakes = []error{
	protocol.ErrNoName, protocol.ErrLongName, protocol.ErrNameTaken, store.ErrNoMilestone, store.ErrSameName, store.ErrNotLast, store.ErrNoLink,
	token.ErrName, token.ErrScope, token.ErrFull,
	store.ErrTopicName, store.ErrTopicTaken, store.ErrFewMembers, store.ErrMember, store.ErrNotCombined, store.ErrSessionTitle, store.ErrSplitAt,
	store.ErrOneSession, store.ErrNotInSession, store.ErrLive, store.ErrNotUndone,
}

// mistake returns the text of an error about the person's input, and "" for any other error.
func mistake(err error) string {
	if frame.Is[*notice.Failure](err) {
		return frame.Printable(err.Error())
	}
	return frame.FirstOf(err, mistakes...)
}
