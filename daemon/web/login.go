package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/store"
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
// logs nobody out, and a copy of the database lets nobody in.
type logins struct {
	store *store.Store
	now   func() time.Time

	mu    sync.Mutex
	codes map[[32]byte]time.Time // time of issue by hash of the code
	known map[string]time.Time   // time of issue by hex hash of the cookie; nil until loaded
}

// LoginURL makes a link that logs a browser in and then shows a page of the dashboard: the one at path, which has no query,
// or the first one if path is "" or no page's. It works once, for a minute.
func (s *Server) LoginURL(path string) string {
	link := "http://" + s.host + "/login?code=" + s.logins.issue()
	if to := s.pageAt(path); to != "/" {
		link += "&to=" + url.QueryEscape(to)
	}
	return link
}

// plainPath is what paths of the dashboard's pages look like. It has no place for another host, a scheme, a query or dots.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9-]{1,64}){1,6}$`)

// pageAt returns path if it is that of a page of the dashboard, else "/". The link to it may come from anywhere.
func (s *Server) pageAt(path string) string {
	if !plainPath.MatchString(path) || path == "/login" || !s.own.Match(chi.NewRouteContext(), http.MethodGet, path) {
		return "/"
	}
	return path
}

func (l *logins) issue() string {
	code := secret()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.codes == nil || len(l.codes) >= maxCodes {
		l.codes = make(map[[32]byte]time.Time)
	}
	l.codes[sha256.Sum256([]byte(code))] = l.now()
	return code
}

// redeem uses up a code and returns the value of a new cookie.
func (l *logins) redeem(ctx context.Context, code string) (cookie string, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	hash := sha256.Sum256([]byte(code))
	made, found := l.codes[hash]
	delete(l.codes, hash)
	if age := l.now().Sub(made); !found || age < 0 || age > codeLife {
		return "", false, nil
	}
	if err := l.load(ctx); err != nil {
		return "", false, err
	}
	cookie = secret()
	l.known[cookieHash(cookie)] = l.now()
	l.prune()
	return cookie, true, l.store.SetSetting(ctx, loginsKey, l.known)
}

// valid reports whether redeem made the cookie and it has not expired.
func (l *logins) valid(ctx context.Context, cookie string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.load(ctx); err != nil {
		return false, err
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
	return l.store.SetSetting(ctx, loginsKey, l.known)
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
		var oldest string
		for hash, given := range l.known {
			if oldest == "" || given.Before(l.known[oldest]) {
				oldest = hash
			}
		}
		delete(l.known, oldest)
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

// handleLogin uses up the code of a one-time link. It responds with a page that goes to the dashboard by itself, not with a
// redirect: if the link was on another site's page, browsers would not send the strict cookie after a redirect.
func (s *Server) handleLogin(w http.ResponseWriter, r *http.Request) error {
	cookie, ok, err := s.logins.redeem(r.Context(), r.URL.Query().Get("code"))
	if err != nil {
		return err
	}
	if !ok {
		return errLogin
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		MaxAge: int(loginLife / time.Second),
	})
	return s.render(w, r, http.StatusOK, "login", layout{Title: "Welcome", Bare: true}, s.pageAt(r.URL.Query().Get("to")))
}

// handleLogout ends this browser's login.
func (s *Server) handleLogout(w http.ResponseWriter, r *http.Request) error {
	if c, err := r.Cookie(cookieName); err == nil {
		if err := s.logins.forget(r.Context(), c.Value); err != nil {
			return err
		}
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: -1})
	return errLogin
}

// requireLogin serves next only with a valid cookie.
func (s *Server) requireLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie(cookieName)
		if err != nil {
			s.fail(w, r, errLogin)
			return
		}
		switch ok, err := s.logins.valid(r.Context(), c.Value); {
		case err != nil:
			s.fail(w, r, err)
		case !ok:
			s.fail(w, r, errLogin)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
