package dashboard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/lab/linkfarm"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/explore"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/operators"
)

const (
	linksOfPage = 10 // links to a page of the farm, on average
	pagesOfLink = 10 // the farm has one in so many of the pages that are asked for
	farmSeed    = 16
)

// makeGroupings adds pages that link to each other, as many links as pages are asked for, groups the pages, and runs and saves
// expressions of link operators.
func makeGroupings(ctx context.Context, o *options) (err error) {
	st, err := store.Open(ctx, filepath.Join(o.Dir, "nightjar.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	pages := o.Pages / pagesOfLink
	farm, err := linkfarm.Make(ctx, st, pages, pages*linksOfPage, farmSeed)
	if err != nil {
		return err
	}
	for n := range 100 {
		expression := fmt.Sprintf("weightedTargetKeywords([crawl:%d], []) | top %d", farm.Crawl, n+1)
		if err := errors.Join(operators.NoteOperation(ctx, st.DB, expression), operators.SaveSet(ctx, st.DB, fmt.Sprintf("set %d", n), expression)); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	maker := explore.New(explore.Deps{Store: st, Bus: &notify.Bus{}, Log: command.NewLogger(os.Stderr, slog.LevelWarn),
		Shelf: ontologies.New(st, nil), Now: time.Now})
	ended := make(chan error, 1)
	go func() { ended <- maker.Run(ctx) }()
	g, err := maker.Group(ctx, explore.Request{Options: explore.GroupingOptions{MinDocs: 1}})
	for err == nil && g.State == explore.GroupingWorks {
		time.Sleep(100 * time.Millisecond)
		g, err = explore.GroupingByID(ctx, st.DB, g.ID)
	}
	if err == nil && g.State == explore.GroupingFailed {
		err = fmt.Errorf("group pages: %s", g.Problem)
	}
	cancel()
	if e := <-ended; !errors.Is(e, context.Canceled) {
		err = errors.Join(err, e)
	}
	return err
}
