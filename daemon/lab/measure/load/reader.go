package load

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

// reader is a person who looks at the dashboard.
type reader struct {
	*devtool.Visitor
	took map[string][]time.Duration // by address
}

// crawl starts a crawl for the topic with an id, and returns the address of its page.
func (r *reader) crawl(ctx context.Context, topic int64) (string, error) {
	res, _, err := r.Do(ctx, http.MethodPost, fmt.Sprintf("/topics/%d/run", topic))
	if err != nil {
		return "", err
	}
	to := res.Header.Get("Location")
	if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/crawls/") {
		return "", fmt.Errorf("the crawl was not started: status %d", res.StatusCode)
	}
	return to, nil
}

// read requests pages in turn, two a second, until ctx ends.
func (r *reader) read(ctx context.Context, pages func() []string) error {
	for i := 0; ctx.Err() == nil; i++ {
		all := pages()
		begin, address := time.Now(), all[i%len(all)]
		res, _, err := r.Do(context.WithoutCancel(ctx), http.MethodGet, address)
		if err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d", address, res.StatusCode)
		}
		kind := address
		if strings.HasPrefix(address, "/sessions/") {
			kind = "/sessions/{uuid}"
		}
		r.took[kind] = append(r.took[kind], time.Since(begin))
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil
}
