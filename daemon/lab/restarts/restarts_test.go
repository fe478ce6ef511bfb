//go:build measure

package restarts

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/lab/alone"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/settings"
	"nightjar/daemon/store"
	"nightjar/model"
)

func TestMain(m *testing.M) { os.Exit(alone.Tests(m).Run()) }

// TestRestarts crawls with the whole program, which ends NIGHTJAR_RESTARTS times: it is killed every other time, and stopped the
// others. No host is asked sooner than its delay, its Crawl-delay or its Retry-After allow; robots.txt is asked for once a host,
// and so is a page that cannot exist; and the crawl makes progress.
func TestRestarts(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("NIGHTJAR_RESTARTS"))
	if err != nil {
		times = 24
	}
	w := newWeb()
	server := httptest.NewServer(w)
	defer server.Close()
	data := mustData(t, strings.TrimPrefix(server.URL, "http://"))
	program := mustBuild(t)
	random := rand.New(rand.NewPCG(uint64(times), 19))
	began := time.Now()
	for i := range times + 1 {
		least := time.Duration(1500+random.IntN(4000)) * time.Millisecond
		mustRun(t, program, data, w, least, i%2 == 0 && i < times)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	pages := 0
	for _, host := range hosts {
		pages += w.pages[host]
		if w.robots[host] > 1 || w.probes[host] > 1 {
			t.Errorf("%s: robots.txt was asked for %d times, a page that cannot exist %d times", host, w.robots[host], w.probes[host])
		}
		t.Logf("%s: robots.txt %d, probes %d, pages %d, shortest pause %v", host, w.robots[host], w.probes[host], w.pages[host], w.least[host])
	}
	if pages < times+1 || w.robots["slow.test"]+w.robots["calm.test"] == 0 {
		t.Errorf("%d pages were asked for in %d lives of the program", pages, times+1)
	}
	for _, s := range w.soon {
		t.Error(s)
	}
	t.Logf("%d restarts in %v: %d pages, %d rests asked for, %d requests too soon", times, time.Since(began).Round(time.Second), pages, w.rested, len(w.soon))
}

// mustBuild builds the program.
func mustBuild(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "nightjar")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", name, "nightjar/daemon").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// mustData makes a data folder with a topic, its model, and a crawl that has not started yet; all names end at a server.
func mustData(t *testing.T, server string) string {
	t.Helper()
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(ctx, filepath.Join(dir, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	chosen := settings.Default()
	chosen.Delay, chosen.Resolve = delay.Seconds(), []string{"*.test=" + server}
	if err := st.SaveSettings(ctx, chosen); err != nil {
		t.Fatal(err)
	}
	topic, err := st.CreateTopic(ctx, "Tides")
	if err != nil {
		t.Fatal(err)
	}
	set := model.TrainingSet{Topic: "Tides", LastEvent: time.Unix(1, 0)}
	for i, text := range []string{"portal of tides", "gardening weather", "shopping cars", "tides turbines number", "tides turbines", "turbines and tides"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprint("http://old.test/", i), Text: text, Target: i > 2})
	}
	set.Edges = [][2]int{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 3}, {0, 5}, {3, 0}}
	bundle, err := model.Train(ctx, set, model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.Save(ctx, st.DB, st.Erasures(), topic.ID, bundle, models.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	var starts []string
	for _, host := range hosts {
		starts = append(starts, "http://"+host+"/")
	}
	_, err = st.CreateCrawl(ctx, store.Crawl{TopicID: topic.ID, ModelID: m.ID, Strategy: "breadth-first",
		Options: store.CrawlOptions{Starts: starts, Resolve: chosen.Resolve}})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// mustRun runs the program until it has asked for a page and at least for the given time, and then kills or stops it.
func mustRun(t *testing.T, program, data string, w *web, least time.Duration, kill bool) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--data", data)
	cmd.Stdout, cmd.Stderr = &out, &out
	before, began := w.asked(), time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for patience := time.Now().Add(2 * time.Minute); w.asked() == before || time.Since(began) < least; time.Sleep(10 * time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("the program ended by itself: %v\n%s", err, &out)
		default:
		}
		if time.Now().After(patience) {
			cmd.Process.Kill()
			<-ended
			t.Fatalf("the program asks for nothing:\n%s", &out)
		}
	}
	if kill {
		cmd.Process.Kill()
	} else {
		cmd.Process.Signal(os.Interrupt)
	}
	<-ended // how it ended was this test's doing
}

// asked is how many pages were asked for.
func (w *web) asked() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, pages := range w.pages {
		n += pages
	}
	return n
}
