package pages

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"nightjar/daemon/morning/finds"
	"nightjar/daemon/web/frame"
)

// mostChanged is the number of finds that changed on one page.
const mostChanged = 20

// changedList tells of finds whose pages changed much or are gone.
type changedList struct {
	IDs   string // separated by commas
	Finds []finds.View
}

// changed lists changed finds that the person has not seen yet, nil for none.
func (s *server) changed(ctx context.Context) (*changedList, error) {
	finds, err := finds.Changed(ctx, s.Store.DB, mostChanged)
	if err != nil || len(finds) == 0 {
		return nil, err
	}
	var ids []string
	for _, f := range finds {
		ids = append(ids, strconv.FormatInt(f.ID, 10))
	}
	return &changedList{strings.Join(ids, ","), finds}, nil
}

// handleChangesSeen records that the person has seen the changed finds.
func (s *server) handleChangesSeen(w http.ResponseWriter, r *http.Request) error {
	ids, err := numbers(strings.Split(r.PostFormValue("ids"), ","))
	if err != nil {
		return err
	}
	if err := finds.TellChanges(r.Context(), s.Store.DB, ids); err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/")
}
