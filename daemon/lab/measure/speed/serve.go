package speed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/farm"
)

// serve serves a farm until standard input ends. It prints a served once all pages are made.
func serve(_ context.Context, env *command.Env, spec *serveSpec) error {
	f, err := farm.Open(spec.Options)
	if err != nil {
		return err
	}
	defer f.Close()
	s := served{Addrs: make(map[string]string), Starts: f.Starts(), Topic: f.Topic()}
	for _, r := range f.Resolve() {
		s.Addrs[r.Pattern] = r.Addr
	}
	for _, url := range f.Pages() {
		s.Pages++
		s.Bytes += int64(len(f.HTML(url)))
	}
	stats, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.Stats = "http://" + stats.Addr().String() + "/"
	server := &http.Server{Handler: statsOf(f), ReadHeaderTimeout: time.Second}
	go func() { _ = server.Serve(stats) }() // until Close
	defer server.Close()
	if err := json.NewEncoder(env.Stdout).Encode(s); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, env.Stdin)
	return err
}

// statsOf answers with the counts; a POST resets them first.
func statsOf(f *farm.Farm) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			f.Reset()
		}
		_ = json.NewEncoder(w).Encode(f.Stats()) // the client sees a short answer
	})
}

// stats requests a server's counts; fresh resets them first.
func (s *served) stats(ctx context.Context, fresh bool) (counts farm.Stats, err error) {
	method := http.MethodGet
	if fresh {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, s.Stats, nil)
	if err != nil {
		return counts, err
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return counts, fmt.Errorf("read the farm's counts: %w", err)
	}
	defer answer.Body.Close()
	return counts, json.NewDecoder(answer.Body).Decode(&counts)
}
