package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

// mostMarked is the most finds that one form marks or has seen.
const mostMarked = 500

// verdicts says what was done, by the mark or the kind of action.
var verdicts = map[string]string{
	store.MarkUseful: "Marked Useful", store.MarkNotUseful: "Marked Not useful", store.MarkLater: "Saved for later",
	store.MarkOffTopic: "Marked “Not this topic”", store.MarkNone: "Removed the mark from",
	store.ActionRefuse: "Never again", store.ActionAllow: "Allowed again",
}

// siteName returns the site of an address, without port.
func siteName(address string) string {
	return weburl.WithoutPort(weburl.Site(address))
}

// handleFindMark stores the person's mark of one find, or refuses or allows its site.
func (s *server) handleFindMark(w http.ResponseWriter, r *http.Request, id int64) error {
	return s.mark(w, r, []int64{id}, r.PostFormValue("mark"))
}

// handleFindsMark stores the person's mark of several finds.
func (s *server) handleFindsMark(w http.ResponseWriter, r *http.Request) error {
	ids, err := numbers(r.PostForm["id"])
	if err != nil {
		return err
	}
	return s.mark(w, r, ids, r.PostFormValue("mark"))
}

// numbers reads ids.
func numbers(texts []string) ([]int64, error) {
	var ids []int64
	for _, text := range texts {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || len(ids) >= mostMarked {
			return nil, frame.BadInput(fmt.Sprintf("choose at most %d finds of the list", mostMarked))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (s *server) mark(w http.ResponseWriter, r *http.Request, ids []int64, mark string) error {
	ctx := r.Context()
	if len(ids) == 0 {
		return frame.BadInput("select at least one find first")
	}
	var acted store.Acted
	var err error
	switch mark {
	case store.ActionRefuse, store.ActionAllow:
		acted, err = s.actOnSiteOf(ctx, ids, mark)
	case store.MarkUseful, store.MarkNotUseful, store.MarkLater, store.MarkOffTopic, store.MarkNone:
		acted, err = marks.PutAll(ctx, s.Store.DB, ids, mark)
	default:
		return frame.BadInput("a find can be marked Useful, Not useful, Later or Not this topic")
	}
	if err != nil {
		return err
	}
	did := ""
	if acted.Action == 0 {
		did, acted.Finds = "Nothing changed: it already has this mark.", ids
	}
	return s.acted(w, r, acted, did)
}

// actOnSiteOf refuses or allows the site of one find.
func (s *server) actOnSiteOf(ctx context.Context, ids []int64, kind string) (store.Acted, error) {
	finds, err := finds.States(ctx, s.Store.DB, ids)
	if err != nil {
		return store.Acted{}, err
	}
	if len(finds) == 0 {
		return store.Acted{}, store.ErrNotFound
	}
	if len(ids) != 1 {
		return store.Acted{}, frame.BadInput("choose one find to refuse its site")
	}
	if kind == store.ActionAllow {
		return marks.Allow(ctx, s.Store.DB, siteName(finds[0].URL))
	}
	return marks.Refuse(ctx, s.Store.DB, siteName(finds[0].URL))
}

// handleFindsUndo takes back one action.
func (s *server) handleFindsUndo(w http.ResponseWriter, r *http.Request) error {
	action, err := strconv.ParseInt(r.PostFormValue("action"), 10, 64)
	if err != nil {
		return frame.BadInput("there is nothing to undo")
	}
	acted, err := marks.Undo(r.Context(), s.Store.DB, action)
	if errors.Is(err, store.ErrNotFound) {
		return frame.BadInput("this cannot be undone any more: the finds were deleted")
	}
	if err != nil {
		return err
	}
	return s.acted(w, r, acted, "Undone.")
}

// handleFindsSeen stores that cards were on the screen.
func (s *server) handleFindsSeen(w http.ResponseWriter, r *http.Request) error {
	var texts []string
	if list := r.PostFormValue("ids"); list != "" {
		texts = strings.Split(list, ",")
	}
	ids, err := numbers(texts)
	if err != nil {
		return err
	}
	if _, err := finds.See(r.Context(), s.Store.DB, ids); err != nil {
		return err
	}
	back := query(r.PostFormValue("back"))
	if next := r.PostFormValue("next"); next != "" {
		_, rest, _ := strings.Cut(next, "?")
		back = query(rest)
	}
	if r.Header.Get("X-Fragment") == "" {
		return frame.SeeOther(w, r, frame.WithQuery("/", back))
	}
	p, _, err := s.list(r.Context(), back)
	if err != nil {
		return err
	}
	return s.Execute(w, http.StatusOK, "finds", "counts", p)
}

// query reads the query of a list from a form. If it cannot be read, it is the query of the first page.
func query(text string) url.Values {
	q, err := url.ParseQuery(text)
	if err != nil {
		return url.Values{}
	}
	return q
}

// marksAnswer holds the parts of the page that a script replaces after marks changed.
type marksAnswer struct {
	Cards []findCard // whose buttons changed
	List  findsPage  // counts and echo
}

// acted has the change compared with before, and answers a form: with the changed parts for a script, otherwise with the
// list. did says what was done, "" for what the last action says.
func (s *server) acted(w http.ResponseWriter, r *http.Request, acted store.Acted, did string) error {
	ctx := r.Context()
	switch {
	case acted.Action != 0 && acted.Site != "":
		refused, err := marks.IsRefused(ctx, s.Store.DB, acted.Site)
		if err != nil {
			return err
		}
		s.Echoes.Refused(acted.Site, refused)
	case acted.Action != 0 && len(acted.Topics) > 0:
		s.Echoes.Marked(acted.Topics, acted.Since)
	default:
		s.Echoes.Forget()
	}
	back := r.PostFormValue("back")
	if r.Header.Get("X-Fragment") == "" {
		to := frame.WithQuery("/", query(back))
		if len(acted.Finds) == 1 {
			to += "#find-" + strconv.FormatInt(acted.Finds[0], 10)
		}
		return frame.SeeOther(w, r, to)
	}
	var a marksAnswer
	var err error
	if a.List, _, err = s.list(ctx, query(back)); err != nil {
		return err
	}
	if a.List.Echo, err = s.echoView(ctx, did, back); err != nil {
		return err
	}
	states, err := finds.States(ctx, s.Store.DB, acted.Finds[:min(len(acted.Finds), mostMarked)])
	if err != nil {
		return err
	}
	for _, f := range states {
		a.Cards = append(a.Cards, findCard{Find: finds.View{ID: f.ID, URL: f.URL, Title: f.Title, Mark: f.Mark},
			Link: frame.LinkTo(f.URL, f.Title), Back: back, Refused: f.Refused})
	}
	return s.Execute(w, http.StatusOK, "finds", "marked", a)
}

// handleSiteAllow lets crawls request a refused site again.
func (s *server) handleSiteAllow(w http.ResponseWriter, r *http.Request) error {
	site := r.PostFormValue("site")
	all, err := marks.Refused(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(one marks.Site) bool { return one.Site == site }) {
		if _, err := marks.Allow(r.Context(), s.Store.DB, site); err != nil {
			return err
		}
	}
	return frame.Done(w, r, "/settings", "site-allowed#refused")
}
