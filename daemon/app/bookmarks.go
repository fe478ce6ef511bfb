package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/panorama/bookmarks"
)

// bookmarksPoll is the interval between two requests for the progress.
const bookmarksPoll = 200 * time.Millisecond

// bookmarksLimit is the maximal size of a request about bookmarks in bytes.
const bookmarksLimit = 2 * bookmarks.MaxBytes

// newBookmarks makes what makes sessions of bookmarks.
func (a *App) newBookmarks(ctx context.Context) (*bookmarks.Maker, error) {
	return bookmarks.New(ctx, bookmarks.Deps{
		Store: a.Store, Web: a.Scheduler, Bus: a.Bus, Log: a.Log, Now: time.Now,
		Import: func(ctx context.Context, file io.Reader) error {
			_, err := a.imports.Import(ctx, file)
			return err
		},
	})
}

// bookmarksRequest asks for a session of bookmarks, or for what is known of links.
type bookmarksRequest struct {
	Topic  string
	Chosen []bookmarks.Chosen
	Links  []bookmarks.Link
}

// answerBookmarks answers the requests of BookmarkStates and MakeBookmarks.
func (a *App) answerBookmarks(w http.ResponseWriter, r *http.Request) (any, error) {
	var asked bookmarksRequest
	what := r.URL.Path[len("/control/bookmarks/"):]
	if what == "states" || what == "start" {
		if err := decode(w, r, bookmarksLimit, &asked); err != nil {
			return nil, err
		}
	}
	switch what {
	case "states":
		return a.Bookmarks.States(r.Context(), asked.Links)
	case "start":
		if err := a.Bookmarks.Start(r.Context(), asked.Topic, asked.Chosen); err != nil {
			return nil, err
		}
	case "stop":
		if err := a.Bookmarks.Stop(r.Context()); err != nil {
			return nil, err
		}
	}
	return a.Bookmarks.Status(), nil
}

// BookmarkStates says what is known of links. Like MakeBookmarks, it uses the daemon that serves the data folder of a completed
// configuration or, when none does, one that runs on a free port for as long as it takes.
func BookmarkStates(ctx context.Context, c Config, log *slog.Logger, links []bookmarks.Link) (all []bookmarks.State, err error) {
	err = withDaemon(ctx, c, log, func() error {
		return Call(ctx, c.Data, "/control/bookmarks/states", bookmarksRequest{Links: links}, &all)
	})
	return all, err
}

// MakeBookmarks makes a session of what the person chose. note is called with the progress. When ctx ends, nothing is stored.
func MakeBookmarks(ctx context.Context, c Config, log *slog.Logger, topic string, chosen []bookmarks.Chosen, note func(bookmarks.Progress)) (s bookmarks.Status, err error) {
	err = withDaemon(ctx, c, log, func() error {
		err := Call(ctx, c.Data, "/control/bookmarks/start", bookmarksRequest{Topic: topic, Chosen: chosen}, &s)
		for err == nil && s.Running {
			note(s.Progress)
			if !clock.Sleep(ctx, clock.System, bookmarksPoll) {
				end, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTimeout)
				defer cancel()
				return errors.Join(ctx.Err(), Call(end, c.Data, "/control/bookmarks/stop", nil, &s))
			}
			s = bookmarks.Status{}
			err = Call(ctx, c.Data, "/control/bookmarks/status", nil, &s)
		}
		return err
	})
	if err == nil && s.Problem != "" {
		err = errors.New(s.Problem)
	}
	return s, err
}

// withDaemon calls do while a daemon serves the data folder: the one that does, or one of this process.
func withDaemon(ctx context.Context, c Config, log *slog.Logger, do func() error) (err error) {
	if !Running(c.Data) {
		stop, herr := runHere(ctx, c, log, nil)
		if herr != nil {
			return herr
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	return do()
}
