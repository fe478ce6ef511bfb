package wordnet

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// offered makes a Library whose Offer is what a local server answers.
func offered(t *testing.T, data []byte, answer http.HandlerFunc) *Library {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	l, _ := library(t)
	sum := sha512.Sum512(data)
	l.offer = Offer{Name: "npm tiny 1.0", URL: server.URL + "/tiny-1.0.tgz", Size: int64(len(data)), Sum: hex.EncodeToString(sum[:])}
	return l
}

// TestPinned: what is offered is a file of which the hash is known.
func TestPinned(t *testing.T) {
	o := New(Options{Dir: t.TempDir()}).Offer()
	u, err := url.Parse(o.URL)
	if err != nil || u.Scheme != "https" || u.Host != "registry.npmjs.org" || o.Size <= 0 || o.Name == "" || o.Version == "" || o.Licence == "" {
		t.Errorf("offer %+v, %v", o, err)
	}
	// npm writes its hash in base64.
	if sum, _ := hex.DecodeString(o.Sum); base64.StdEncoding.EncodeToString(sum) != "EErtrDAl7z1f0eG+XzomB+I6Kj6eYuFukBbmWvdbwcLbUN6qbjFHDEW+/PFWOGKlqxIfOWYBn1ANRm/1Z5OQiA==" {
		t.Errorf("the hash of npm's file is %s", o.Sum)
	}
}

func TestGet(t *testing.T) {
	data := archives(t)["npm"]
	var asked *http.Request
	l := offered(t, data, func(w http.ResponseWriter, r *http.Request) {
		asked = r
		_, _ = w.Write(data)
	})
	var done []int64
	if err := l.Get(context.Background(), func(n, of int64) {
		if done = append(done, n); of != int64(len(data)) {
			t.Errorf("%d bytes of %d", n, of)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if s := l.State(); s.From != FromData || s.Problem != "" {
		t.Errorf("%+v", s)
	}
	if len(done) == 0 || !slices.IsSorted(done) || done[len(done)-1] != int64(len(data)) {
		t.Errorf("progress %d", done)
	}
	if got := entriesOf(t, l.dir); len(got) != 3 {
		t.Errorf("the folder has %q", got)
	}
	for name := range asked.Header {
		if name != "User-Agent" && name != "Connection" {
			t.Errorf("the header %s was sent", name)
		}
	}
	if asked.Method != http.MethodGet || asked.URL.RawQuery != "" || asked.ContentLength != 0 {
		t.Errorf("the request was %s %s with %d bytes", asked.Method, asked.URL, asked.ContentLength)
	}
	if err := l.Get(context.Background(), nil); err != nil {
		t.Errorf("once more, without progress: %v", err)
	}
}

// TestGetRefuses: whatever comes instead of the file, nothing is changed.
func TestGetRefuses(t *testing.T) {
	data := archives(t)["npm"]
	other := slices.Clone(data)
	other[len(other)/2] ^= 1
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	send := func(data []byte, flush bool) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if flush { // so that no length is told
				w.(http.Flusher).Flush()
			}
			_, _ = w.Write(data)
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"one bit":           {send(other, false), "its SHA-512 is another: nothing was changed; get WordNet elsewhere and add the file"},
		"longer":            {send(append(slices.Clone(data), 0), false), "instead of"},
		"longer, untold":    {send(append(slices.Clone(data), 0), true), "its size is not"},
		"without end":       {send(bytes.Repeat(data, 1000), true), "its size is not"},
		"shorter":           {send(data[:99], false), "it has 99 bytes instead of"},
		"shorter, untold":   {send(data[:99], true), "its size is not"},
		"missing":           {http.NotFound, "the file is no longer there: the answer was 404 Not Found: get WordNet elsewhere and add the file"},
		"removed":           {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }, "the file is no longer there: the answer was 410 Gone: get WordNet elsewhere and add the file"},
		"elsewhere":         {http.RedirectHandler(elsewhere.URL, http.StatusFound).ServeHTTP, "the answer was 302 Found"},
		"a part of a range": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) }, "the answer was 206"},
		"breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(data[:500])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "unexpected EOF: check the network and try again"},
	} {
		l := offered(t, data, c.answer)
		if err := l.Add(context.Background(), tiny); err != nil {
			t.Fatal(err)
		}
		before := l.Fingerprint()
		err := l.Get(context.Background(), nil)
		var problem *Problem
		if !errors.As(err, &problem) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), l.offer.URL) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got := entriesOf(t, l.dir); l.Fingerprint() != before || len(got) != 3 {
			t.Errorf("%s: the folder has %q", name, got)
		}
	}
}

// TestGetWrongArchive: a file with the right hash that is no WordNet is a problem, too.
func TestGetWrongArchive(t *testing.T) {
	data := tgzOf(t, entry{name: "readme", text: "x"})
	l := offered(t, data, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	if err := l.Get(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "npm tiny 1.0 has no data.noun") {
		t.Error(err)
	}
}

func TestGetWithoutNetwork(t *testing.T) {
	l := offered(t, nil, http.NotFound)
	l.offer.URL = "http://127.0.0.1:1/tiny.tgz"
	err := l.Get(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "connection refused: check the network and try again") || strings.Count(err.Error(), l.offer.URL) != 1 {
		t.Error(err)
	}
}

// TestGetSilent: a server that stops sending does not hold the download for ever, and a person who stops it need not wait.
func TestGetSilent(t *testing.T) {
	data := archives(t)["npm"]
	end := make(chan struct{})
	l := offered(t, data, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(data[:100])
		w.(http.Flusher).Flush()
		<-end
	})
	defer close(end)
	l.pause = 50 * time.Millisecond
	if err := l.Get(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "nothing came for too long: check the network") {
		t.Errorf("silence: %v", err)
	}
	l.pause = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	if err := l.Get(ctx, func(int64, int64) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestBackground: one download at a time, which can be stopped; how it ended is kept until the next one.
func TestBackground(t *testing.T) {
	data := archives(t)["npm"]
	hold, begun := make(chan struct{}), make(chan struct{}, 9)
	answer := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) }
	l := offered(t, data, func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		select {
		case <-hold:
			answer(w, r)
		case <-r.Context().Done():
		}
	})
	news := make(chan struct{}, 99)
	l.changed = func() { news <- struct{}{} }
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- l.Run(ctx) }()
	rests := func() Download {
		for d := l.Download(); ; d = l.Download() {
			if !d.Running {
				return d
			}
			<-news
		}
	}
	l.Stop() // nothing runs
	start := func() {
		t.Helper()
		if err := l.Start(); err != nil {
			t.Fatal(err)
		}
	}
	start()
	<-begun
	if err := l.Start(); !errors.Is(err, ErrBusy) || !l.Download().Running {
		t.Errorf("a second download: %v", err)
	}
	l.wait = 10 * time.Millisecond
	if err := l.Add(context.Background(), tiny); !errors.Is(err, ErrBusy) {
		t.Errorf("an addition during a download: %v", err)
	}
	l.Stop()
	if d := rests(); d != (Download{}) || l.Net() != nil {
		t.Errorf("after it was stopped: %+v", d)
	}
	start()
	close(hold)
	if d := rests(); d != (Download{}) || l.Net() == nil {
		t.Errorf("after it was done: %+v", d)
	}
	l.offer.Sum = ""
	start()
	if d := rests(); !strings.Contains(d.Problem, "its SHA-512 is another") {
		t.Errorf("after it failed: %+v", d)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}
