package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/daemon/web/frame"
)

// bookmarksPath is the page where a person begins with what they have, and takes the file.
const bookmarksPath = "/bookmarks"

// restShown is the number of links of other folders that are offered for comparison.
const restShown = 20

// bookmarksPage says what became of the last file, and has the form for the next step: choose a file, choose a folder, choose pages.
type bookmarksPage struct {
	Status  bookmarks.Status
	List    *bookmarks.List // nil before a file was chosen
	Folders []bookmarks.Folder
	Folder  string         // whose links are shown; "" for all
	Shown   bool           // links are shown
	Links   []bookmarkLine // of the folder
	Left    int            // links of the folder that are not shown
	Rest    []bookmarkLine // of other folders
	Topics  []string       // names to propose
	Topic   string         // that is proposed

	Training any  // of the last session's topic, nil while it is not trained
	Learned  bool // that topic has a model of the session
}

// bookmarkLine is a page in the list, with its box to tick.
type bookmarkLine struct {
	bookmarks.State
	Field string // name of the box
}

// Says is what the list says about a page.
func (l bookmarkLine) Says() string {
	switch {
	case l.Refused != "":
		return "refused: " + l.Refused
	case l.Known == protocol.KnownUseful:
		return "already recorded, useful"
	case l.Known == protocol.KnownVisited:
		return "already recorded"
	case l.Known != "":
		return "already a find"
	}
	return "new"
}

// bookmarkLines looks up what is known of links.
func (s *server) bookmarkLines(ctx context.Context, field string, links []bookmarks.Link) ([]bookmarkLine, error) {
	states, err := s.Bookmarks.States(ctx, links)
	all := make([]bookmarkLine, len(states))
	for i, one := range states {
		all[i] = bookmarkLine{one, field}
	}
	return all, err
}

func (s *server) handleBookmarks(w http.ResponseWriter, r *http.Request) error {
	p := bookmarksPage{Status: s.Bookmarks.Status(), List: s.Bookmarks.List(), Folder: r.URL.Query().Get("folder")}
	topics, err := overview.Topics(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	for _, t := range topics {
		p.Topics = append(p.Topics, t.Name)
		if p.Status.Session == "" || t.Name != p.Status.Topic {
			continue
		}
		p.Training = s.Dashboard.TrainingPart(t.ID, t.Name)
		p.Learned = t.Version > 0 && p.Training == nil
	}
	if p.List != nil {
		if err := s.bookmarksList(r.Context(), &p, r.URL.Query().Has("folder")); err != nil {
			return err
		}
	}
	return s.Render(w, r, http.StatusOK, "bookmarks", frame.Layout{Title: "Begin with bookmarks", Section: "sessions"}, p)
}

// bookmarksList fills in the folders of a file, and the links of one when it was chosen or there are none.
func (s *server) bookmarksList(ctx context.Context, p *bookmarksPage, chosen bool) error {
	p.Folders = p.List.Folders()
	if p.Shown = chosen || len(p.Folders) == 0; !p.Shown {
		return nil
	}
	p.Topic = strings.TrimSpace(p.Folder[strings.LastIndex(p.Folder, "/")+1:])
	links := p.List.Within(p.Folder)
	p.Left = max(0, len(links)-bookmarks.MaxChosen)
	var err error
	if p.Links, err = s.bookmarkLines(ctx, "useful", links[:len(links)-p.Left]); err != nil {
		return err
	}
	if p.Rest, err = s.bookmarkLines(ctx, "rest", p.List.Outside(p.Folder, restShown)); err != nil {
		return err
	}
	p.Rest = slices.DeleteFunc(p.Rest, func(one bookmarkLine) bool { return one.Refused != "" })
	return nil
}

// handleBookmarksFile reads a file of links, or links that were pasted. The file is not kept.
func (s *server) handleBookmarksFile(w http.ResponseWriter, r *http.Request) error {
	closed, err := s.ParseUpload(r, url.Values{}, bookmarks.ErrTooLarge.Error(), "choose a file, or paste addresses")
	defer closed()
	if err != nil {
		return err
	}
	field, body := "links", []byte(strings.TrimSpace(r.PostFormValue("links")))
	if len(body) == 0 {
		field = "file"
		if _, body, err = frame.FormFile(r); err != nil {
			return frame.At(field, frame.BadInput("choose a file, or paste addresses"))
		}
	}
	list, err := bookmarks.Read(r.Context(), body)
	if err != nil {
		return frame.At(field, err)
	}
	s.Bookmarks.Keep(list)
	return frame.SeeOther(w, r, bookmarksPath)
}

// handleBookmarksStart makes a session of the links of a folder: those that the person ticked are useful. Of other folders, those
// that are ticked are not.
func (s *server) handleBookmarksStart(w http.ResponseWriter, r *http.Request) error {
	list := s.Bookmarks.List()
	if list == nil {
		return frame.BadInput("choose the file again: Nightjar keeps none")
	}
	var chosen []bookmarks.Chosen
	links := list.Within(r.PostForm.Get("folder"))
	for _, link := range links[:min(len(links), bookmarks.MaxChosen)] {
		chosen = append(chosen, bookmarks.Chosen{Link: link, Useful: slices.Contains(r.PostForm["useful"], link.URL)})
	}
	for _, link := range list.Within("") {
		if slices.Contains(r.PostForm["rest"], link.URL) && len(chosen) < bookmarks.MaxChosen {
			chosen = append(chosen, bookmarks.Chosen{Link: link})
		}
	}
	err := s.Bookmarks.Start(r.Context(), r.PostForm.Get("topic"), chosen)
	if errors.Is(err, bookmarks.ErrTopic) {
		return frame.At("topic", err)
	}
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, bookmarksPath)
}

func (s *server) handleBookmarksStop(w http.ResponseWriter, r *http.Request) error {
	if err := s.Bookmarks.Stop(r.Context()); err != nil {
		return err
	}
	return frame.SeeOther(w, r, bookmarksPath)
}

// handleBookmarksForget forgets the list, so that another file can be chosen.
func (s *server) handleBookmarksForget(w http.ResponseWriter, r *http.Request) error {
	s.Bookmarks.Keep(nil)
	return frame.SeeOther(w, r, bookmarksPath)
}
