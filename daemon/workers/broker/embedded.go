package broker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"nightjar/daemon/workers/broker/join"
)

// Limits of the embedded server.
const (
	maxPayload    = join.MaxResult
	maxConns      = 512
	handshakeTime = 5 * time.Second // for TLS, and again for the login
	writeTime     = 10 * time.Second
	pingEvery     = 5 * time.Second
	readyTime     = 20 * time.Second
	maxMemory     = 64 << 20 // of streams in memory, of which there are none
)

// embedded is a NATS server within this process.
type embedded struct {
	srv   *server.Server
	gate  *gate
	certs *certs // nil when nobody else can connect
}

// startEmbedded starts a server with its streams in dir, which take at most room bytes. With an empty listen only this process can connect.
func startEmbedded(dir, listen string, certs *certs, g *gate, room int64, handshake time.Duration, log *quiet) (*embedded, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the broker's folder: %w", err)
	}
	if err := forgetDerived(dir); err != nil {
		return nil, fmt.Errorf("%w: %w", errFiles, err)
	}
	o := &server.Options{
		ServerName: "nightjar", StoreDir: dir, JetStream: true, JetStreamMaxStore: room, JetStreamMaxMemory: maxMemory, NoSigs: true, NoLog: true, DisableJetStreamBanner: true,
		MaxPayload: maxPayload, MaxConn: maxConns, MaxSubs: 64, MaxControlLine: 1024,
		PingInterval: pingEvery, MaxPingsOut: 2, WriteDeadline: writeTime,
		AuthTimeout: handshake.Seconds(), TLSTimeout: handshake.Seconds(),
		CustomClientAuthentication: g, AlwaysEnableNonce: true, DontListen: listen == "",
	}
	if listen != "" {
		if err := freePort(listen, o); err != nil {
			return nil, err
		}
		o.TLSConfig, o.TLSVerify, o.TLSHandshakeFirst = certs.config(g), true, true
	}
	srv, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("start the broker: %w", err)
	}
	say := &logger{log: log}
	say.starting.Store(true)
	srv.SetLoggerV2(say, false, false, false)
	g.kick = func(id uint64) { _ = srv.DisconnectClientByID(id) } // an error says that it has gone
	srv.Start()
	if why := say.fatal.Load(); why != nil {
		srv.Shutdown()
		return nil, fmt.Errorf("%w: %s", errFiles, *why)
	}
	if !srv.ReadyForConnections(readyTime) {
		srv.Shutdown()
		return nil, fmt.Errorf("the broker did not start within %s; see the log", readyTime)
	}
	say.starting.Store(false)
	return &embedded{srv: srv, gate: g, certs: certs}, nil
}

// errFiles is wrapped by errors that may be due to damaged files of the server.
var errFiles = errors.New("the broker cannot use its files")

// forgetDerived removes the files that the server can make anew from its messages. It does not check them: a torn state of the
// consumer prevents that a consumer is made, and a torn index lets the server allocate memory without limit. Without an index, it
// verifies the checksum of each message.
func forgetDerived(dir string) error {
	stream := filepath.Join(dir, server.JetStreamStoreDir, server.DEFAULT_GLOBAL_ACCOUNT, "streams", join.Stream)
	return errors.Join(os.RemoveAll(filepath.Join(stream, "obs")), os.RemoveAll(filepath.Join(stream, "msgs", "index.db")))
}

// freePort sets the address to listen on. The server ends the process's work on it in its own way when it is taken, so that is seen
// before.
func freePort(listen string, o *server.Options) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("listen for workers on %s: %w", listen, err)
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	o.Host = host
	o.Port, err = strconv.Atoi(port)
	return errors.Join(err, l.Close())
}

// config returns how the server and workers check each other.
func (c *certs) config(g *gate) *tls.Config {
	workers := x509.NewCertPool()
	workers.AddCert(c.authority)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: workers,
		GetConfigForClient: g.hello,
		GetCertificate:     func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current() },
	}
}

// addr returns where workers connect, nil when they cannot.
func (e *embedded) addr() net.Addr { return e.srv.Addr() }

// connect returns the options of the daemon's own connection, which needs no network.
func (e *embedded) connect() []nats.Option {
	return []nats.Option{nats.InProcessServer(e.srv), nats.UserInfo(daemonUser, e.gate.secret)}
}

// close ends all connections and the server; what the stream has stays on disk.
func (e *embedded) close() {
	e.srv.Shutdown()
	e.srv.WaitForShutdown()
}
