package pages

import (
	"context"
	"net/http"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/web/frame"
)

// linkLine is a link that looked useful to the person in a session.
type linkLine struct {
	sessions.MarkedLink
	Link frame.Link
	On   frame.Link // the page with the link, without an address when it was deleted
	UUID string     // of the session
	To   frame.Link // the page that was visited, if it has another address
}

// linksOf lists the links of a session that looked useful, and those of which that was taken back.
func (s *server) linksOf(ctx context.Context, one sessions.Session) ([]linkLine, error) {
	all, err := sessions.MarkedLinks(ctx, s.Store.DB, one)
	if err != nil {
		return nil, err
	}
	var lines []linkLine
	for _, l := range all {
		line := linkLine{MarkedLink: l, UUID: one.UUID, Link: frame.Link{URL: l.URL, Name: frame.PageName(l.URL)}, On: frame.LinkTo(l.On, l.OnTitle)}
		if l.Page != l.URL && l.Page != "" {
			line.To = frame.Link{URL: l.Page, Name: frame.PageName(l.Page)}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// handleSessionLink says of a link in a session that it looks useful, or takes that back. A topic that learned from it is
// trained again.
func (s *server) handleSessionLink(w http.ResponseWriter, r *http.Request, one sessions.Session) error {
	useful, notice := r.PostFormValue("useful") == "1", "link-taken"
	if useful {
		notice = "link-said"
	}
	if err := sessions.SayOfLink(r.Context(), s.Store.DB, one.UUID, r.PostFormValue("url"), useful); err != nil {
		return err
	}
	s.tell("session", one.UUID)
	if one.Status == sessions.Submitted {
		s.Trainer.Submit(one.TopicID)
	}
	return frame.Done(w, r, "/sessions/"+one.UUID, notice+"#links")
}
