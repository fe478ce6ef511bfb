package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

const (
	cookieName = "nightjar"
	codeLife   = 60 * time.Second
	loginLife  = 90 * 24 * time.Hour
	maxLogins  = 32 // logged-in browsers; a new one replaces the oldest
	maxCodes   = 32 // unused one-time links
	loginsKey  = "dashboard.logins"
)

// logins checks who may see the dashboard. Codes are kept in memory for a minute. Logins are stored by their hash: a restart
// logs nobody out, and a copy of the database lets nobody in. One that cannot be stored, as on a full disk, is kept in memory
// until it can.
type logins struct {
	store    *store.Store // nil keeps them in memory only
	troubles *trouble.Board
	now      func() time.Time

	mu    sync.Mutex
	codes map[[32]byte]issued  // by hash of the code
	known map[string]time.Time // time of issue by hex hash of the cookie; nil until loaded
	later bool                 // known could not be stored yet
}

// issued is a code that was not used.
type issued struct {
	at   time.Time
	used func() // what else ends with the code
}

// LoginURL makes a link that logs a browser in and then shows a page of the dashboard: the one at path, which has no query,
// or the first one if path is "" or no page's. It works once, for a minute.
func (s *Server) LoginURL(path string) string {
	link := "http://" + s.host + "/login?code=" + s.logins.issue(func() {})
	if to := s.pageAt(path); to != "/" {
		link += "&to=" + url.QueryEscape(to)
	}
	return link
}

// plainPath is what paths of the dashboard's pages look like. It has no place for another host, a scheme, a query or dots.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9-]{1,64}){1,6}$`)

// pageAt returns path if it leads to a page of the dashboard, else "/". The link to it may come from anywhere.
func (s *Server) pageAt(path string) string {
	if !plainPath.MatchString(path) || path == "/login" || !s.Router().Match(chi.NewRouteContext(), http.MethodGet, path) {
		return "/"
	}
	return path
}

// issue makes a code. used is called when it was used, or cannot be any more because of others.
func (l *logins) issue(used func()) string {
	code := secret()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.codes == nil || len(l.codes) >= maxCodes {
		l.forgetCodes()
	}
	l.codes[sha256.Sum256([]byte(code))] = issued{l.now(), used}
	return code
}

// forgetCodes makes all codes useless. The caller holds l.mu.
func (l *logins) forgetCodes() {
	for _, code := range l.codes {
		code.used()
	}
	l.codes = make(map[[32]byte]issued)
}

func (l *logins) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgetCodes()
}

// redeem uses up a code and returns the value of a new cookie.
func (l *logins) redeem(ctx context.Context, code string) (cookie string, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hash := sha256.Sum256([]byte(code))
	made, found := l.codes[hash]
	if !found {
		return "", false, nil
	}
	delete(l.codes, hash)
	made.used()
	if age := l.now().Sub(made.at); age < 0 || age > codeLife {
		return "", false, nil
	}
	if err := l.load(ctx); err != nil {
		return "", false, err
	}
	cookie = secret()
	l.known[cookieHash(cookie)] = l.now()
	l.prune()
	return cookie, true, l.save(ctx)
}

// save stores the logins. What cannot be stored now is left to later.
func (l *logins) save(ctx context.Context) error {
	if l.store == nil {
		return nil
	}
	err := l.store.SetSetting(ctx, loginsKey, l.known)
	l.later = err != nil
	if trouble.Of(err) != "" {
		return nil
	}
	return err
}

// valid reports whether redeem made the cookie and it has not expired.
func (l *logins) valid(ctx context.Context, cookie string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(ctx); err != nil {
		return false, err
	}
	if l.later && len(l.troubles.Now()) == 0 {
		if err := l.save(ctx); err != nil {
			return false, err
		}
	}
	given, ok := l.known[cookieHash(cookie)]
	return ok && l.now().Sub(given) < loginLife, nil
}

// forget ends one login.
func (l *logins) forget(ctx context.Context, cookie string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(ctx); err != nil {
		return err
	}
	delete(l.known, cookieHash(cookie))
	return l.save(ctx)
}

func (l *logins) load(ctx context.Context) error {
	if l.known != nil {
		return nil
	}
	known := make(map[string]time.Time)
	if _, err := l.store.Setting(ctx, loginsKey, &known); err != nil {
		return err
	}
	l.known = known
	return nil
}

func (l *logins) prune() {
	for len(l.known) > maxLogins {
		hashes := slices.Collect(maps.Keys(l.known))
		delete(l.known, slices.MinFunc(hashes, func(a, b string) int { return l.known[a].Compare(l.known[b]) }))
	}
}

func secret() string {
	raw := make([]byte, 32)
	rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

func cookieHash(cookie string) string {
	sum := sha256.Sum256([]byte(cookie))
	return hex.EncodeToString(sum[:])
}

// handleLogin uses up the code of a one-time link.
func (s *Server) handleLogin(w http.ResponseWriter, r *http.Request) error {
	return s.login(w, r, r.URL.Query().Get("code"), s.pageAt(r.URL.Query().Get("to")))
}

// handleLoginForm uses up the code that the page of LoginFile sends.
func (s *Server) handleLoginForm(w http.ResponseWriter, r *http.Request) error {
	return s.login(w, r, r.PostForm.Get("code"), "/")
}

// login uses up a code. It responds with a page that goes to the dashboard by itself, not with a redirect: if the request came
// from another site's page or from a file, browsers would not send the strict cookie after a redirect.
func (s *Server) login(w http.ResponseWriter, r *http.Request, code, to string) error {
	cookie, ok, err := s.logins.redeem(r.Context(), code)
	if err != nil {
		return err
	}
	if !ok {
		return frame.ErrLogin
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int(loginLife / time.Second),
	})
	return s.Render(w, r, http.StatusOK, "login", frame.Layout{Title: "Welcome", Bare: true}, to)
}

// handleLogout ends this browser's login.
func (s *Server) handleLogout(w http.ResponseWriter, r *http.Request) error {
	if c, err := r.Cookie(cookieName); err == nil {
		if err := s.logins.forget(r.Context(), c.Value); err != nil {
			return err
		}
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	return frame.ErrLogin
}

// requireLogin serves next only with a valid cookie.
func (s *Server) requireLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie(cookieName)
		if err != nil {
			s.Fail(w, r, frame.ErrLogin)
			return
		}
		switch ok, err := s.logins.valid(r.Context(), c.Value); {
		case err != nil:
			s.Fail(w, r, err)
		case !ok:
			s.Fail(w, r, frame.ErrLogin)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
