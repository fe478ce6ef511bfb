package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// mostChanged is the number of finds that changed on one page.
const mostChanged = 20

// changedList tells of finds whose pages changed much or are gone.
type changedList struct {
	IDs   string // separated by commas
	Finds []changedFind
}

type changedFind struct {
	Link Link
	Gone bool
	At   time.Time // when it was seen
}

// changed lists changed finds that the person has not seen yet, nil for none.
func (s *Server) changed(ctx context.Context) (*changedList, error) {
	finds, err := s.Store.ChangedFinds(ctx, mostChanged)
	if err != nil || len(finds) == 0 {
		return nil, err
	}
	var list changedList
	var ids []string
	for _, f := range finds {
		one := changedFind{Link: linkTo(f.URL, f.Title), Gone: !f.GoneAt.IsZero(), At: f.ChangedAt}
		if one.Gone {
			one.At = f.GoneAt
		}
		list.Finds = append(list.Finds, one)
		ids = append(ids, strconv.FormatInt(f.ID, 10))
	}
	list.IDs = strings.Join(ids, ",")
	return &list, nil
}

// handleChangesSeen records that the person has seen the changed finds.
func (s *Server) handleChangesSeen(w http.ResponseWriter, r *http.Request) error {
	ids, err := numbers(strings.Split(r.PostFormValue("ids"), ","))
	if err != nil {
		return err
	}
	if err := s.Store.TellChanges(r.Context(), ids); err != nil {
		return err
	}
	return seeOther(w, r, "/")
}
