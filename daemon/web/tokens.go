package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/orders"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/web/frame"
)

// tokensPart is the section of Settings about programs that read.
type tokensPart struct {
	Tokens []token.Token
	Topics []topics.Topic
}

func (s *Server) tokensPart(r *http.Request) (p tokensPart, err error) {
	if p.Tokens, err = token.All(r.Context(), s.Store.DB); err == nil {
		p.Topics, err = topics.List(r.Context(), s.Store.DB)
	}
	return p, err
}

// tokenMade shows a new token, for the only time.
type tokenMade struct {
	Name  string
	Token string    // of the API, "" for a feed
	Base  string    // address of the API
	Feeds []address // of a feed
}

type address struct{ Name, URL string }

// handleTokenMake makes a token and shows it. It is an answer to the form itself, since an address to redirect to would
// have to carry the token.
func (s *Server) handleTokenMake(w http.ResponseWriter, r *http.Request) error {
	scope, topic := r.PostFormValue("scope"), int64(0)
	if scope != token.ScopeRead {
		id, err := strconv.ParseInt(r.PostFormValue("topic"), 10, 64)
		if err != nil || id < 0 {
			return frame.At("topic", token.ErrScope)
		}
		topic = id
	}
	name := r.PostFormValue("name")
	text, err := s.tokens.Make(r.Context(), name, scope, topic)
	if errors.Is(err, token.ErrName) {
		return frame.At("name", err)
	}
	if err != nil {
		return err
	}
	p := tokenMade{Name: name}
	base := "http://" + s.Listen
	if scope == token.ScopeRead {
		p.Token, p.Base = text, base+api.Base
	} else {
		atom, json := api.FeedPaths(text)
		p.Feeds = []address{{"Atom", base + atom}, {"JSON Feed", base + json}}
	}
	return s.Render(w, r, http.StatusOK, "token-made", frame.Layout{Title: "New token", Section: "settings"}, p)
}

// handleTokenAllow stores what a program may do besides reading.
func (s *Server) handleTokenAllow(w http.ResponseWriter, r *http.Request, id int64) error {
	may := r.PostFormValue("may")
	pages, err := strconv.Atoi(r.PostFormValue("pages"))
	switch {
	case may != token.MayNothing && may != token.MayAsk && may != token.MayAct:
		return frame.At("may", errMay)
	case err != nil || pages < 1 || pages > orders.MostPages:
		return frame.At("pages", errPages)
	}
	if err := token.Allow(r.Context(), s.Store.DB, id, may, pages); err != nil {
		return err
	}
	return frame.Done(w, r, "/settings", "token-allowed#programs")
}

// Errors of handleTokenAllow.
var (
	errMay   = frame.BadInput("choose what the program may do")
	errPages = frame.BadInput(fmt.Sprintf("give a number of pages from 1 to %d", orders.MostPages))
)

// revokeToken is token.Revoke for order.
func revokeToken(d *db.DB, ctx context.Context, id int64) error { return token.Revoke(ctx, d, id) }
