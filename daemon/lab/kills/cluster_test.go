package kills

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"nightjar/daemon/lab/cluster"
	"nightjar/daemon/store/settings"
)

// clusterPages is the environment variable with the number of pages of TestClusterWiped; without it, the test is left out.
const clusterPages = "NIGHTJAR_CLUSTER_PAGES"

// TestClusterWiped kills all three servers of a cluster between a daemon and two workers, deletes their disks and starts them again, twice
// in one crawl. In the end every page was read, once; no host was asked for two pages at once, or sooner than its delay allows.
func TestClusterWiped(t *testing.T) {
	pages := number(clusterPages, 0)
	if pages == 0 {
		t.Skipf("!!! left out: it takes minutes; %s says how many pages", clusterPages)
	}
	servers := cluster.Start(t)
	f := &far{t: t, web: newWeb(t, farHosts, pages), servers: servers.Servers()}
	f.web.takes = farTakes
	f.begin(2, func(*settings.Workers) {})
	servers.Leader() // the stream is on all servers
	for _, part := range []int{pages / 3, pages * 2 / 3} {
		wait(t, fmt.Sprint(part, " pages"), func() bool { return f.stored() >= part })
		before, given := f.stored(), f.granted()
		begin := time.Now()
		servers.WipeAll()
		wait(t, "pages after the loss of all disks", func() bool { return f.stored() > before+farHosts })
		t.Logf("all disks were lost after %d pages, with %d tasks given out; %d pages later after %v", before, given, farHosts, time.Since(begin).Round(time.Millisecond))
	}
	waitCrawl(t, f.data)
	f.stop()
	f.check()
	db := look(t, database(f.data))
	defer db.Close()
	if lost := lines(t, db, "SELECT url FROM fetches WHERE outcome <> 'ok'"); len(lost) > 0 {
		t.Errorf("%d pages were given up: %s", len(lost), strings.Join(lost, ", "))
	}
}

// granted counts the tasks that workers have.
func (f *far) granted() int {
	f.t.Helper()
	db := look(f.t, database(f.data))
	defer db.Close()
	return count(f.t, db, "SELECT count(*) FROM tasks WHERE state = 'granted'")
}

// credentials is a file that a client of a cluster needs, for one that lets everyone in.
func credentials(t *testing.T) string {
	t.Helper()
	user, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", "e30.e30.e30", seed)
	name := filepath.Join(t.TempDir(), "cluster.creds")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
