package fetch

import (
	"context"
	"errors"
	"net/http"
	"testing"
)

// TestRoom: room is asked for each piece of a large body after the first, compressed or not, and a page without room comes to nothing.
func TestRoom(t *testing.T) {
	const pieces = 5
	html := words(pieces*roomPiece + 100)
	w := mustWeb(t, map[string]http.HandlerFunc{
		"small.test/": say("<p>short"), "large.test/": say(html), "packed.test/": say(squeeze(html), "Content-Encoding", "gzip"),
	})
	type key struct{}
	asked, refuse := int64(0), error(nil)
	l := w.mustLive(t, LiveOptions{Room: func(ctx context.Context, bytes int64) error {
		if ctx.Value(key{}) == nil {
			t.Error("asked without what the fetch was told")
		}
		asked += bytes
		return refuse
	}})
	ctx := context.WithValue(t.Context(), key{}, true)
	for host, want := range map[string]int64{"small.test": 0, "large.test": pieces * roomPiece, "packed.test": pieces * roomPiece} {
		asked = 0
		if got := l.Fetch(ctx, "http://"+host+"/"); got.Outcome != OK || asked != want {
			t.Errorf("%s: %s, room for %d bytes, want %d", host, got.Outcome, asked, want)
		}
	}
	refuse = errors.New("no room")
	for _, host := range []string{"large.test", "packed.test"} {
		if got := l.Fetch(ctx, "http://"+host+"/again"); got.Outcome != Status {
			t.Errorf("%s: a short answer without room: %s", host, got.Outcome)
		}
	}
	for _, host := range []string{"large.test", "packed.test"} {
		if got := l.Fetch(ctx, "http://"+host+"/"); got.Outcome != Network || got.Body != nil {
			t.Errorf("%s without room: %s (%s), %d bytes", host, got.Outcome, got.Reason, len(got.Body))
		}
	}
}
