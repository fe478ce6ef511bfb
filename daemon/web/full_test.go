package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

func TestFormsOnFullDisk(t *testing.T) {
	webtest.FullDisk(t, func(t testing.TB) (*webtest.Wing, func(*trouble.Board), map[string]url.Values) {
		s := seed(t)
		find := fmt.Sprint(s.Count(t, `SELECT max(id) FROM finds`))
		s.MustPost(t, "/finds/mark", url.Values{"id": {find}, "mark": {store.MarkLater}})
		if w := s.Post("/settings/tokens", url.Values{"name": {"reader"}, "scope": {token.ScopeRead}}); w.Code != http.StatusOK {
			t.Fatalf("a token: %d", w.Code)
		}
		s.Exec(t, `INSERT INTO refused (site, at) VALUES ('ice.test', 1)`)
		return s.wing(t), func(b *trouble.Board) { s.Troubles = b }, map[string]url.Values{
			"/finds/mark": {"id": {find}, "mark": {store.MarkUseful}}, "/finds/seen": {"ids": {find}},
			"/finds/undo": {"action": {fmt.Sprint(s.Count(t, `SELECT max(id) FROM actions`))}}, "/notices/dismiss": {"notice": {"0123456789abcdef"}},
			"/sessions/edit": {"session": {s.Session}, "do": {"move"}, "topic": {"Other"}}, "/settings/tokens/1/revoke": {}, "/settings/tokens/1/allow": {"may": {"ask"}, "pages": {"9"}}, "/settings/sites/allow": {"site": {"ice.test"}},
		}
	}, nil, []string{"/settings", "/tonight", "/finds/mark", "/finds/{id}/mark", "/finds/undo", "/finds/seen", "/sessions/{uuid}/name", "/sessions/edit",
		"/notices/dismiss", "/settings/sites/allow", "/settings/tokens", "/settings/tokens/{id}/revoke", "/settings/tokens/{id}/allow", "/topics/{topic}/starts"})
}
