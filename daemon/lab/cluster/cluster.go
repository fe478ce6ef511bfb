// Package cluster runs NATS clusters of three servers for tests. Each server is a process of its own, so that it can be killed: the
// program of the test started again, which therefore calls Serve first.
package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"nightjar/daemon/workers/broker/join"
)

// asServer is the environment variable of a process that is a server: its name, port, port for routes, folder, and all routes.
const asServer = "NIGHTJAR_TEST_CLUSTER_SERVER"

// patience is how long an election may take.
const patience = time.Minute

// Serve reports whether this process is a server of a cluster. If it is, Serve returns when the standard input has ended.
func Serve() bool {
	spec := os.Getenv(asServer)
	if spec == "" {
		return false
	}
	var o server.Options
	var routes string
	if _, err := fmt.Sscanf(spec, "%s %d %d %s %s", &o.ServerName, &o.Port, &o.Cluster.Port, &o.StoreDir, &routes); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for r := range strings.SplitSeq(routes, ",") {
		u, _ := url.Parse("nats://127.0.0.1:" + r) // a number
		o.Routes = append(o.Routes, u)
	}
	o.Host, o.Cluster.Host, o.Cluster.Name = "127.0.0.1", "127.0.0.1", "nightjar"
	o.JetStream, o.NoSigs, o.NoLog, o.MaxPayload = true, true, false, join.MaxResult
	o.LogFile = o.StoreDir + ".log"
	srv, err := server.NewServer(&o)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	srv.ConfigureLogger()
	srv.Start()
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // the test has ended
	srv.Shutdown()
	return true
}

// Cluster is three servers without accounts: everyone on this machine may connect.
type Cluster struct {
	t      *testing.T
	dir    string
	ports  []int
	routes []string
	procs  []*exec.Cmd
}

// Start starts the servers. They are killed when the test ends.
func Start(t *testing.T) *Cluster {
	t.Helper()
	c := &Cluster{t: t, dir: t.TempDir(), procs: make([]*exec.Cmd, 3)}
	for range c.procs {
		c.ports = append(c.ports, FreePort(t))
		c.routes = append(c.routes, fmt.Sprint(FreePort(t)))
	}
	for n := range c.procs {
		c.Start(n)
	}
	t.Cleanup(func() {
		for n := range c.procs {
			c.Kill(n)
		}
	})
	return c
}

// FreePort is a port of this machine that nobody listens on.
func FreePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was sent
	return l.Addr().(*net.TCPAddr).Port
}

// Start starts a server that was killed.
func (c *Cluster) Start(n int) {
	c.t.Helper()
	p := exec.Command(os.Args[0])
	p.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %s %s %s", asServer, c.name(n), c.ports[n], c.routes[n], filepath.Join(c.dir, c.name(n)), strings.Join(c.routes, ",")))
	if _, err := p.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.procs[n] = p
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		c.t.Fatalf("server %d: %q %v", n, line, err)
	}
}

func (c *Cluster) name(n int) string { return fmt.Sprint("server", n) }

// Kill ends a server without a warning.
func (c *Cluster) Kill(n int) {
	if c.procs[n] != nil {
		_ = c.procs[n].Process.Kill() // it may be dead
		_ = c.procs[n].Wait()         // the error says that it was killed
		c.procs[n] = nil
	}
}

// Wipe deletes the disk of a server that was killed.
func (c *Cluster) Wipe(n int) {
	c.t.Helper()
	if err := os.RemoveAll(filepath.Join(c.dir, c.name(n))); err != nil {
		c.t.Fatal(err)
	}
}

// WipeAll kills all servers, deletes their disks and starts them again.
func (c *Cluster) WipeAll() {
	c.t.Helper()
	for n := range c.procs {
		c.Kill(n)
		c.Wipe(n)
	}
	for n := range c.procs {
		c.Start(n)
	}
}

// Servers are the addresses of the servers, as nats://HOST:PORT.
func (c *Cluster) Servers() (all []string) {
	for _, p := range c.ports {
		all = append(all, fmt.Sprintf("nats://127.0.0.1:%d", p))
	}
	return all
}

// Leader returns which server leads the stream of results, when all servers have all of it: the loss of a second one before that may
// lose more.
func (c *Cluster) Leader() int {
	c.t.Helper()
	nc, err := nats.Connect(strings.Join(c.Servers(), ","))
	if err != nil {
		c.t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	for ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)                     // the cluster may elect
		once, cancel := context.WithTimeout(ctx, time.Second) // a request of that time gets no answer
		s, err := js.Stream(once, join.Stream)
		cancel()
		if err != nil {
			continue
		}
		if info := s.CachedInfo().Cluster; info != nil && len(info.Replicas) == 2 && info.Replicas[0].Current && info.Replicas[1].Current {
			for n := range c.procs {
				if info.Leader == c.name(n) {
					return n
				}
			}
		}
	}
	c.t.Fatal("the stream has no leader")
	return 0
}
