package broker

import (
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"nightjar/daemon/workers/broker/join"
)

// daemonUser is the name of the daemon's own connection.
const daemonUser = "$daemon"

// gate decides who may connect to the embedded server. A worker needs a certificate of the authority that names it, and the nkey
// of its invitation. It has one connection: a new one ends the one before, which may be half open after a network cut.
type gate struct {
	log    *quiet
	now    func() time.Time
	secret string          // of the daemon's own connection, which is within the process
	kick   func(id uint64) // ends a connection
	begun  *attempts       // logins by address

	mu      sync.Mutex
	keys    map[string]string    // public nkeys of the workers that are invited
	dead    map[string]bool      // keys that were revoked
	open    map[string]uint64    // ID of the last connection of each worker
	barred  map[string]time.Time // workers that broke rules, and until when
	refused int64
}

func newGate(keys map[string]string, log *quiet, now func() time.Time) *gate {
	return &gate{
		log: log, now: now, secret: rand.Text(), begun: newAttempts(now), keys: keys,
		dead: map[string]bool{}, open: map[string]uint64{}, barred: map[string]time.Time{},
	}
}

// Check implements server.Authentication.
func (g *gate) Check(c server.ClientAuthentication) bool {
	if c.Kind() != server.CLIENT {
		return false
	}
	state, said := c.GetTLSConnectionState(), c.GetOpts()
	if state == nil {
		ok := said.Username == daemonUser && subtle.ConstantTimeCompare([]byte(said.Password), []byte(g.secret)) == 1
		if ok {
			c.RegisterUser(&server.User{Username: daemonUser})
		}
		return ok
	}
	name, before, err := g.admit(c.GetID(), *state, said, c.GetNonce())
	if err != nil {
		g.log.warn("a worker was not let in", "name", name, "address", c.RemoteAddress().String(), "reason", err)
		return false
	}
	g.begun.succeeded(c.RemoteAddress())
	c.RegisterUser(&server.User{Username: name, Permissions: permissions(name)})
	if before != 0 && before != c.GetID() {
		g.kick(before)
	}
	return true
}

// admit checks a login and notes the connection. before is the worker's last one, 0 for none.
func (g *gate) admit(id uint64, state tls.ConnectionState, said *server.ClientOpts, nonce []byte) (name string, before uint64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() {
		if err != nil {
			g.refused++
		}
	}()
	if len(state.VerifiedChains) == 0 {
		return "", 0, errors.New("it has no certificate")
	}
	name = state.PeerCertificates[0].Subject.CommonName
	key, ok := g.keys[name]
	if !ok {
		return name, 0, errors.New("its invitation was revoked")
	}
	if said.Nkey != key {
		return name, 0, errors.New("its invitation was replaced by another")
	}
	if until, bad := g.barred[name]; bad && g.now().Before(until) {
		return name, 0, errors.New("it sent too much")
	}
	signature, err := base64.RawURLEncoding.DecodeString(said.Sig)
	if err != nil {
		return name, 0, errors.New("its signature cannot be read")
	}
	public, err := nkeys.FromPublicKey(key)
	if err != nil || public.Verify(nonce, signature) != nil {
		return name, 0, errors.New("its signature is wrong")
	}
	before = g.open[name]
	g.open[name] = id
	return name, before, nil
}

// permissions are all that a worker may do.
func permissions(name string) *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			join.Hello.Of(name), join.Next.Of(name), join.Result.Of(name), join.Beat.Of(name),
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{join.Inbox(name) + ".>", join.Ctl.Of(name)}},
	}
}

// invite lets a worker in from now on; a connection with an earlier key ends.
func (g *gate) invite(name, key string) {
	g.mu.Lock()
	g.keys[name] = key
	delete(g.barred, name)
	g.mu.Unlock()
	g.drop(name)
}

// revoke never lets a worker in again.
func (g *gate) revoke(name string) {
	g.mu.Lock()
	g.dead[g.keys[name]] = true
	delete(g.keys, name)
	g.mu.Unlock()
	g.drop(name)
}

// add lets in the workers that are not known yet. One that was revoked since keys were read stays out.
func (g *gate) add(keys map[string]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, key := range keys {
		if g.keys[name] == "" && !g.dead[key] {
			g.keys[name] = key
		}
	}
}

// names returns the workers that may come in.
func (g *gate) names() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.keys))
}

// bar keeps a worker out for some time.
func (g *gate) bar(name string, d time.Duration) {
	g.mu.Lock()
	g.barred[name] = g.now().Add(d)
	g.mu.Unlock()
	g.drop(name)
}

// closed notes that a connection ended, and reports whether the worker has no other.
func (g *gate) closed(name string, id uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open[name] != id {
		return false
	}
	delete(g.open, name)
	return true
}

func (g *gate) drop(name string) {
	g.mu.Lock()
	id := g.open[name]
	g.mu.Unlock()
	if id != 0 {
		g.kick(id)
	}
}

// logins returns how many logins were refused.
func (g *gate) logins() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused + g.begun.failed()
}

// hello is called when a handshake begins: an address at which too many logins failed must wait.
func (g *gate) hello(h *tls.ClientHelloInfo) (*tls.Config, error) {
	if !g.begun.begin(h.Conn.RemoteAddr()) {
		return nil, errors.New("too many failed logins from this address")
	}
	return nil, nil //nolint:nilnil // nil means the configuration as it is
}
