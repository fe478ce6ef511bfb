// Package token makes and checks the tokens by which programs read finds: feed readers, scripts.
//
// A token is nightjar_KEY_SECRET. The key finds the token's row and is no secret; the secret has 256 random bits. The
// store keeps only a hash of the whole, so that a copy of the database lets nobody in; a token is shown once. Start with
// Keeper.Make and Keeper.Check.
package token

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/time/rate"

	"nightjar/daemon/store"
)

// Errors of Check and Make. Those of Make are worded for the person.
var (
	ErrUnknown = errors.New("there is no such token, or it was revoked")
	ErrTooMany = errors.New("too many wrong tokens; wait a minute")
	ErrName    = fmt.Errorf("give the program a name of at most %d characters", maxName)
	ErrFull    = fmt.Errorf("there are %d tokens already; revoke one that you no longer need", maxTokens)
	ErrScope   = errors.New("choose what the program may read")
)

const (
	maxName   = 80
	maxTokens = 100
	prefix    = "nightjar_"
)

// Wrong tokens: so many at once, then one in each interval. Tokens with the key of a real one have a limit of their own,
// so that a program that guesses does not lock out another one that has its token right.
const (
	wrongBurst = 20
	wrongEvery = 6 * time.Second
)

// Keeper makes and checks tokens. It is safe for concurrent use.
type Keeper struct {
	store *store.Store
	now   func() time.Time

	mu    sync.Mutex
	wrong map[string]*rate.Limiter // by key, and "" for the unknown keys
}

// NewKeeper returns the keeper of a store's tokens.
func NewKeeper(st *store.Store, now func() time.Time) *Keeper {
	return &Keeper{store: st, now: now, wrong: map[string]*rate.Limiter{}}
}

// Make stores a new token and returns its text, which cannot be had again. topic limits a feed to one topic, 0 does not.
func (k *Keeper) Make(ctx context.Context, name, scope string, topic int64) (text string, err error) {
	name = strings.TrimSpace(name)
	switch {
	case name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name):
		return "", ErrName
	case scope != ScopeFeed && (scope != ScopeRead || topic != 0):
		return "", ErrScope
	}
	all, err := All(ctx, k.store.DB)
	if err != nil {
		return "", err
	}
	if len(all) >= maxTokens {
		return "", ErrFull
	}
	key, secret := make([]byte, 8), make([]byte, 32)
	rand.Read(key) // never fails
	rand.Read(secret)
	t := Token{Key: hex.EncodeToString(key), Name: name, Scope: scope, TopicID: topic}
	text = prefix + t.Key + "_" + base64.RawURLEncoding.EncodeToString(secret)
	t.Hash = hash(text)
	_, err = Add(ctx, k.store.DB, t)
	return text, err
}

// Check returns the token with a text and stores that it was used. The error is ErrUnknown or ErrTooMany, or one of the
// store.
func (k *Keeper) Check(ctx context.Context, text string) (Token, error) {
	key, ok := keyOf(text)
	t := Token{}
	err := store.ErrNotFound
	if ok {
		t, err = ByKey(ctx, k.store.DB, key)
	}
	known := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Token{}, err
	}
	limit := k.limit(t.Key)
	if limit.TokensAt(k.now()) < 1 {
		return Token{}, ErrTooMany
	}
	right := subtle.ConstantTimeCompare(hash(text), t.Hash) == 1 // also for an unknown key, so that both take as long
	if !known || !right {
		limit.AllowN(k.now(), 1)
		return Token{}, ErrUnknown
	}
	return t, Used(ctx, k.store.DB, t)
}

// limit returns the limit on wrong tokens with a real key, or on those with the key "".
func (k *Keeper) limit(key string) *rate.Limiter {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wrong[key] == nil {
		if len(k.wrong) > 2*maxTokens { // of keys that were revoked since
			clear(k.wrong)
		}
		k.wrong[key] = rate.NewLimiter(rate.Every(wrongEvery), wrongBurst)
	}
	return k.wrong[key]
}

// keyOf returns the key of a token's text.
func keyOf(text string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(text, prefix)
	key, _, found := strings.Cut(rest, "_")
	return key, ok && found && len(key) == 16 && len(text) < 100
}

func hash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
