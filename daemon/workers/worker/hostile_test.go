package worker

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
)

// mustCanary is a listener that nothing may connect to.
func mustCanary(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Error("something connected to the worker's own network")
			c.Close()
		}
	}()
	return l.Addr().String()
}

// outcomes keeps the results that a worker encodes.
type outcomes struct {
	mu  sync.Mutex
	all map[string]work.Result // by task
}

func (o *outcomes) encode(r *work.Result) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all[r.Task] = *r
	return work.Encode(r)
}

// TestOwnNetwork: a daemon cannot use a worker to reach the worker's own network: not by addresses, not by names, not by redirects.
func TestOwnNetwork(t *testing.T) {
	canary := mustCanary(t)
	_, port, err := net.SplitHostPort(canary)
	if err != nil {
		t.Fatal(err)
	}
	open := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/there":
			http.Redirect(w, r, "http://"+canary+"/", http.StatusFound)
		case r.URL.Path == "/refresh":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<meta http-equiv=refresh content="0;url=http://%s/">`, canary)
		default:
			http.NotFound(w, r)
		}
	}))
	defer open.Close()
	urls := []string{
		"http://" + canary + "/", "http://[::1]:" + port + "/", "http://localhost:" + port + "/", "http://router/",
		"http://nas.local/", "http://192.168.1.1/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://0.0.0.0:" + port + "/",
		"http://one.farm.test/there", "http://two.farm.test/refresh", "https://user:word@a.example/",
	}
	rule := fetch.Resolve{Pattern: "*.farm.test", Addr: open.Listener.Addr().String()}
	d := newDaemon()
	var tasks []work.Task
	for i, u := range urls {
		k := task(fmt.Sprint(i), "a.example")
		k.URL, k.Delay = u, 0
		tasks = append(tasks, k)
	}
	given := queue(tasks...)
	all := make(chan struct{})
	d.grant = func(n int) (work.Grant, error) {
		g, err := given(n)
		if len(g.Tasks) == 0 {
			select {
			case <-all:
			default:
				close(all)
			}
		}
		return g, err
	}
	got := outcomes{all: map[string]work.Result{}}
	o := optionsOf(d, nil)
	o.Hands, o.Encode, o.Resolve, o.Parallel = nil, got.encode, []fetch.Resolve{rule}, 32
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	drain, done := run(ctx, o)
	<-all
	close(drain)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for i, u := range urls {
		r, ok := got.all[fmt.Sprint(i)]
		to := "http://" + canary + "/"
		switch {
		case !ok:
			if canonical, err := weburl.Canonical(u); err == nil && canonical == u {
				t.Errorf("%s: no result", u)
			}
		case strings.Contains(u, "farm.test"):
			if r.Response.Moved != to {
				t.Errorf("%s: %+v; want that it moved to %s", u, r.Response, to)
			}
		case r.Response.Outcome != fetch.Refused || len(r.Response.Exchanges) > 0:
			t.Errorf("%s: %s %s", u, r.Response.Outcome, r.Response.Reason)
		}
	}
}
