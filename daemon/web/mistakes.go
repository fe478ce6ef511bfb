package web

import (
	"errors"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/morning/notice"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/panorama/communities"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
	"nightjar/daemon/thesus/wordnet"
)

// badInput is an error in the person's input. Its text is shown, on the page with the form (again.go).
type badInput struct{ problem string }

func (e badInput) Error() string { return e.problem }

// mistakes are the errors of other packages about the person's input. Handlers return them as they are; their own text is
// shown, without what wraps them.
var mistakes = []error{
	communities.ErrNotReady, communities.ErrWorking, communities.ErrUsed, communities.ErrDone, communities.ErrNoTitles, communities.ErrNoPages,
	communities.ErrNotEnded, communities.ErrNoSource, communities.ErrNotOnMap, communities.ErrFewToLike, trainingset.ErrFewPositives,
	bookmarks.ErrBusy, bookmarks.ErrTopic, bookmarks.ErrNoUseful, bookmarks.ErrTooMany,
	explore.ErrNotReady, operators.ErrSetName, operators.ErrNoSet, operators.ErrManySets, ontologies.ErrOntologyName, ontologies.ErrOntologyTaken, ontologies.ErrOntologyMany,
	protocol.ErrNoName, protocol.ErrLongName, protocol.ErrNameTaken, store.ErrNoMilestone, store.ErrSameName, store.ErrNotLast, store.ErrNoLink,
	scheduler.ErrNoStart, scheduler.ErrNoModel, scheduler.ErrBusy, store.ErrCannotGoOn, token.ErrName, token.ErrScope, token.ErrFull,
	store.ErrTopicName, store.ErrTopicTaken, store.ErrFewMembers, store.ErrMember, store.ErrNotCombined, store.ErrSessionTitle, store.ErrSplitAt,
	store.ErrOneSession, store.ErrNotInSession, store.ErrLive, store.ErrNotUndone,
}

// mistakeIn returns the text of an error about the person's input. It returns false for other errors.
func mistakeIn(err error) (text string, ok bool) {
	var bad badInput
	var fault *operators.Fault
	switch {
	case errors.As(err, &bad):
		return bad.problem, true
	case errors.As(err, &fault):
		return fault.Text, true
	case errors.Is(err, explore.ErrOptions), is[*document.Problem](err), is[trainingset.LineError](err), is[*communities.OptionError](err),
		is[*wordnet.Problem](err), is[*notice.Failure](err):
		return printable(err.Error()), true
	}
	for _, known := range mistakes {
		if errors.Is(err, known) {
			return known.Error(), true
		}
	}
	return "", false
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }
