package pages

import (
	"context"
	"net/http"
	"strconv"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/web/frame"
)

// milestonesView are a topic's milestones, on the page of its model.
type milestonesView struct {
	Topic topics.Topic
	Names []topics.NamedPages
	Undo  *undoView // nil when there is nothing to undo
	Stale bool      // the newest model learned other names
}

// undoView is the last action that can be undone.
type undoView struct {
	TopicID int64
	Action  int64
	Says    string
	Back    string // UUID of the session whose page shows it, "" for the page of the model
}

// MilestonesPart reads the milestones of a topic; versions are those of its model, newest first. The template is "milestones".
func (p Pages) MilestonesPart(ctx context.Context, topic topics.Topic, versions []*models.Model) (any, error) {
	v := milestonesView{Topic: topic}
	all, err := topics.NamesOfPages(ctx, p.Store.DB, topic.ID)
	if err != nil {
		return v, err
	}
	v.Names, v.Undo = all.Names, undoOf(topic.ID, all.Last, "")
	if len(versions) > 0 {
		names, err := topics.Milestones(ctx, p.Store.DB, topic.ID)
		if err != nil {
			return v, err
		}
		v.Stale = versions[0].Facts.Milestones != topics.MilestoneDigest(names)
	}
	return v, nil
}

// undoOf describes an action to undo, nil for none.
func undoOf(topicID int64, a *topics.MilestoneAction, back string) *undoView {
	if a == nil {
		return nil
	}
	u := &undoView{TopicID: topicID, Action: a.ID, Back: back}
	switch page := frame.PageName(a.URL); {
	case a.Action == topics.MilestoneRenamed:
		u.Says = "renamed " + frame.Quoted(a.Name) + " to " + frame.Quoted(a.NewName)
	case a.Action == topics.MilestoneDeleted:
		u.Says = "deleted " + frame.Quoted(a.Name)
	case a.Name == "":
		u.Says = "removed the milestone of " + page
	default:
		u.Says = "called " + page + " " + frame.Quoted(a.Name)
	}
	return u
}

// handleMilestone names a page of a session, or takes its name back.
func (s *server) handleMilestone(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	name, notice := r.PostFormValue("name"), "milestone-named"
	if r.PostFormValue("remove") != "" {
		name, notice = "", "milestone-removed"
	} else if name == "" {
		return protocol.ErrNoName
	}
	if err := topics.NamePage(r.Context(), s.Store.DB, one.TopicID, r.PostFormValue("url"), name); err != nil {
		return err
	}
	s.tell("session", one.UUID)
	anchor := ""
	if n, err := strconv.Atoi(r.PostFormValue("n")); err == nil {
		anchor = "&from=" + strconv.Itoa(n) + "#page-" + strconv.Itoa(n)
	}
	return frame.Done(w, r, "/sessions/"+one.UUID, notice+anchor)
}

// handleMilestoneRename renames a milestone of a topic, or merges it with another one.
func (s *server) handleMilestoneRename(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	_, merged, err := topics.RenameMilestone(r.Context(), s.Store.DB, t.ID, r.PostFormValue("name"), r.PostFormValue("to"))
	if err != nil {
		return err
	}
	s.tell("session", "")
	if merged {
		return frame.Done(w, r, protocol.ModelPath(t.ID), "milestone-merged#milestones")
	}
	return frame.Done(w, r, protocol.ModelPath(t.ID), "milestone-renamed#milestones")
}

// handleMilestoneDelete takes a milestone back from all pages.
func (s *server) handleMilestoneDelete(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	if _, err := topics.DeleteMilestone(r.Context(), s.Store.DB, t.ID, r.PostFormValue("name")); err != nil {
		return err
	}
	s.tell("session", "")
	return frame.Done(w, r, protocol.ModelPath(t.ID), "milestone-deleted#milestones")
}

// handleMilestoneUndo undoes the last thing that the person did with a topic's milestones in the dashboard.
func (s *server) handleMilestoneUndo(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	action, err := strconv.ParseInt(r.PostFormValue("action"), 10, 64)
	if err != nil {
		return topics.ErrNotLast
	}
	if err := topics.UndoMilestones(r.Context(), s.Store.DB, t.ID, action); err != nil {
		return err
	}
	s.tell("session", "")
	if back := r.PostFormValue("back"); protocol.UUID(back) {
		return frame.Done(w, r, "/sessions/"+back, "milestone-undone")
	}
	return frame.Done(w, r, protocol.ModelPath(t.ID), "milestone-undone#milestones")
}
