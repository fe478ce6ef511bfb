package kills

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/lab/effort"
)

// machines are network namespaces on a bridge, as if each were a machine. The web is at addresses of the bridge.
type machines struct {
	t      *testing.T
	bridge string
	names  []string
}

// newMachines makes namespaces. Where that cannot be done, the test is left out.
func newMachines(t *testing.T, n, hosts int) *machines {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("!!! left out: only root can make network namespaces")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("!!! left out: the program ip is not installed (Debian: iproute2)")
	}
	m := &machines{t: t, bridge: fmt.Sprintf("njb%d", os.Getpid())}
	t.Cleanup(m.end)
	if out, err := exec.Command("ip", "link", "add", m.bridge, "type", "bridge").CombinedOutput(); err != nil {
		t.Skipf("!!! left out: no bridge between network namespaces can be made here: %s", out)
	}
	m.ip("link set %s up", m.bridge)
	for i := range hosts {
		m.ip("address add %s/16 dev %s", webAddr(i), m.bridge)
	}
	for i := range n {
		name := fmt.Sprintf("%s-%d", m.bridge, i)
		m.names = append(m.names, name)
		m.ip("netns add %s", name)
		m.ip("link add %s type veth peer name eth0 netns %s", m.cable(i), name)
		m.ip("link set %s master %s up", m.cable(i), m.bridge)
		m.ip("-n %s address add %s/16 dev eth0", name, machineAddr(i))
		m.ip("-n %s link set eth0 up", name)
		m.ip("-n %s link set lo up", name)
	}
	return m
}

// network is that of this process's machines, 10.network.0.0/16: one that no bridge has, since a run that was killed leaves its own behind,
// and answers would go there.
var network = sync.OnceValue(func() int {
	taken := map[byte]bool{}
	all, _ := net.InterfaceAddrs() // without them, another network is likely enough
	for _, a := range all {
		if at, ok := a.(*net.IPNet); ok && at.IP.To4() != nil && at.IP.To4()[0] == 10 {
			taken[at.IP.To4()[1]] = true
		}
	}
	for i := range 128 {
		if n := 64 + (os.Getpid()+i)%128; !taken[byte(n)] {
			return n
		}
	}
	return 64 + os.Getpid()%128
})

func webAddr(i int) string     { return fmt.Sprintf("10.%d.4.%d", network(), i+1) }
func machineAddr(i int) string { return fmt.Sprintf("10.%d.9.%d", network(), i+1) }

// cable is the end of a machine's network at the bridge.
func (m *machines) cable(i int) string { return fmt.Sprintf("%sv%d", m.bridge, i) }

func (m *machines) ip(format string, args ...any) {
	m.t.Helper()
	line := fmt.Sprintf(format, args...)
	if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
		m.t.Fatalf("ip %s: %v: %s", line, err, out)
	}
}

// cut takes a machine off the network for a time.
func (m *machines) cut(i int, d time.Duration) {
	m.ip("link set %s down", m.cable(i))
	time.Sleep(d)
	m.ip("link set %s up", m.cable(i))
}

// slow makes a machine's network slow and lose packets. It reports whether this system can do that.
func (m *machines) slow(i int) bool {
	out, err := exec.Command("tc", "qdisc", "add", "dev", m.cable(i), "root", "netem", "delay", "200ms", "loss", "5%").CombinedOutput()
	if err != nil {
		m.t.Logf("!!! left out: a network that is slow and loses packets: tc: %v: %s", err, out)
	}
	return err == nil
}

func (m *machines) end() {
	for _, name := range m.names {
		_ = exec.Command("ip", "netns", "del", name).Run() // with its end of the cable
	}
	_ = exec.Command("ip", "link", "del", m.bridge).Run()
}

// TestNamespaces lets a daemon and two workers on machines of their own crawl, and takes one worker off the network while it fetches,
// for 10 seconds, or for as long as NIGHTJAR_CUT says.
func TestNamespaces(t *testing.T) {
	effort.AtNight(t)
	m := newMachines(t, 3, farHosts)
	w := newWebAt(t, farHosts, number("NIGHTJAR_PAGES", 250), webAddr)
	w.takes = farTakes
	listen := machineAddr(0) + ":4775"
	f := newFar(t, w, 2, listen, listen, m.names...)
	m.slow(1)
	away := 10 * time.Second
	if d, err := time.ParseDuration(os.Getenv("NIGHTJAR_CUT")); err == nil {
		away = d
	}
	wait(t, "pages of both workers", func() bool { return f.fetchedBy(workerName(0)) > 20 && f.fetchedBy(workerName(1)) > 20 })
	m.cut(1, away)
	back, left := f.fetchedBy(workerName(0)), f.queued()
	waitCrawl(t, f.data)
	f.stop()
	if left < farHosts {
		t.Logf("!!! left out: whether the worker that was cut off goes on; only %d pages were left for it", left)
	} else if n := f.fetchedBy(workerName(0)); n <= back {
		t.Errorf("the worker that was cut off fetched %d pages until it was back, and %d in the end", back, n)
	}
	f.check()
}

// queued is how many known pages the crawl has not fetched.
func (f *far) queued() int {
	db := look(f.t, database(f.data))
	defer db.Close()
	return count(f.t, db, "SELECT count(*) FROM frontier WHERE status = 'queued'")
}

// fetchedBy is how many pages a worker has fetched.
func (f *far) fetchedBy(name string) int {
	db := look(f.t, database(f.data))
	defer db.Close()
	return count(f.t, db, "SELECT count(*) FROM fetches WHERE worker = ?", name)
}
