package work_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
)

// honest is a task and what an honest worker sends for it.
func honest(tb testing.TB, farm *worktest.Farm, t work.Task) work.Result {
	tb.Helper()
	o := farm.Options()
	hands := work.NewRemote("far", fetch.LiveOptions{UserAgent: o.UserAgent, Resolve: o.Resolve})
	defer func() { _ = hands.Close() }() // its memory does not fail
	return hands.Do(tb.Context(), t)
}

func usual() work.Task {
	return work.Task{ID: "00112233445566778899aabbccddeeff", Attempt: 2, URL: "http://a.test/move", Keep: true, Probe: true}
}

// lies change a result so that no honest worker would send it. Each returns what it changed.
var lies = []func(rng *rand.Rand, r *work.Result) string{
	func(_ *rand.Rand, r *work.Result) string { r.Task = "ff"; return "another task" },
	func(_ *rand.Rand, r *work.Result) string { r.URL = "http://b.test/"; return "another address" },
	func(rng *rand.Rand, r *work.Result) string {
		r.Attempt = 3 + rng.IntN(90)
		return "an attempt that was not made"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Attempt = 0; return "no attempt" },
	func(_ *rand.Rand, r *work.Result) string { r.Began = time.Time{}; return "no beginning" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Ended = r.Began.Add(-time.Second)
		return "an end before the beginning"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Ended = r.Began.Add(48 * time.Hour); return "a long task" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.URL = "http://a.test/other"
		return "the answer for another page"
	},
	func(rng *rand.Rand, r *work.Result) string {
		r.Response.FinalURL = bad(rng)
		return "the final address"
	},
	func(rng *rand.Rand, r *work.Result) string {
		r.Response.Redirects = []string{bad(rng)}
		return "a redirect"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Redirects = []string{"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4", "http://a.test/5"}
		return "too many redirects"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Redirects = []string{"http://a.test/1", "http://a.test/1"}
		return "a loop"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Response.Outcome = "fine"; return "an unknown outcome" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Outcome = fetch.Missing
		return "an outcome of replays"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Response.Outcome = ""; return "no outcome" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Outcome = fetch.Robots
		return "a page that was forbidden"
	},
	func(rng *rand.Rand, r *work.Result) string {
		r.Response.Status = 201 + rng.IntN(300)
		return "a page with another status"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.NotModified = true
		return "not modified, unasked"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Body = []byte("\xff\xfe")
		return "a body that is not UTF-8"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.NotFound = []byte("\xc3")
		return "a missing page that is not UTF-8"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.ETag = "\"a\"\r\nCookie: x"
		return "a validator with a line break"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Response.LastModified = "yesterday"; return "a date" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Moved = "http://b.test/"
		return "moved, with a page"
	},
	func(rng *rand.Rand, r *work.Result) string {
		r.Response.Outcome, r.Page, r.Sketch, r.Response.Body, r.Response.Moved = fetch.Redirects, nil, nil, nil, "http://a.test/same"
		return "moved to the same host"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.RobotsAt = "http://b.test/r"
		return "robots elsewhere, with a page"
	},
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).URL = bad(rng)
		return "a request elsewhere"
	},
	func(rng *rand.Rand, r *work.Result) string { exchange(rng, r).Purpose = "fun"; return "a purpose" },
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).Purpose = fetch.ForSitemap
		return "a request for a sitemap"
	},
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).Addr = "localhost"
		return "an address that is none"
	},
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).At = r.Ended.Add(time.Hour)
		return "a request after the end"
	},
	func(rng *rand.Rand, r *work.Result) string { exchange(rng, r).Cut = "scissors"; return "a cut" },
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).Proto = "HTTP/1.1 200\r\n"
		return "a protocol"
	},
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).Header = http.Header{"A": {"b\r\nWARC-Type: x"}}
		return "a header with a line break"
	},
	func(rng *rand.Rand, r *work.Result) string {
		exchange(rng, r).RequestHeader = http.Header{"A: b\n": {""}}
		return "the name of a header"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Response.Exchanges = nil
		return "a page without a request"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.URL = "http://a.test/"
		return "the page of another address"
	},
	func(rng *rand.Rand, r *work.Result) string {
		r.Page.Links = append(r.Page.Links, page.Link{URL: "http://B.test/../x#part"})
		return "a link"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Links = []page.Link{{URL: "javascript:alert(1)"}}
		return "a link that is none"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Canonical = "file:///etc/passwd"
		return "a canonical address"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Frames = []page.Frame{{URL: "http://a.test/", Kind: "object"}}
		return "a frame"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Sketch.Words = 0; return "a sketch of nothing" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Host.Robots = []work.Robots{{Origin: "http://b.test", Body: []byte("x")}}
		return "the robots.txt of another host"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Host.Robots = []work.Robots{{Origin: "a.test"}}
		return "an origin"
	},
	func(_ *rand.Rand, r *work.Result) string { r.Host.Why = "tired"; return "a reason to rest" },
	func(_ *rand.Rand, r *work.Result) string {
		r.Host.Probed, r.Host.Missing = false, []byte("x")
		return "a missing page without a request"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Title = strings.Repeat("x", page.MaxTitle+1)
		return "a long title"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Text = strings.Repeat("x", page.MaxText+1)
		return "a long text"
	},
	func(_ *rand.Rand, r *work.Result) string {
		r.Page.Links = make([]page.Link, page.MaxLinks+1)
		return "many links"
	},
}

// bad is an address that cannot be on the way of a task.
func bad(rng *rand.Rand) string {
	return []string{
		"", "http://b.test/", "http://127.0.0.1/", "http://[::1]/", "ftp://a.test/", "http://a.test/#x", "http://A.test/", "a.test", "http://a.test/\xff",
		"http://a.test.b.test/", "http://a.test@b.test/", "//a.test/",
	}[rng.IntN(12)]
}

func exchange(rng *rand.Rand, r *work.Result) *fetch.Exchange {
	return &r.Response.Exchanges[rng.IntN(len(r.Response.Exchanges))]
}

// arrives is what the daemon does with a message.
func arrives(data []byte, t *work.Task) error {
	r, err := work.Decode(data)
	if err != nil {
		return err
	}
	return r.Check(t)
}

// TestMalformedResults sends 10,000 messages that are damaged, or that lie. Lies are refused; what damage leaves readable must
// pass the checks or be refused, and nothing panics.
func TestMalformedResults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	task, farm := usual(), worktest.NewFarm(t)
	good, err := work.Encode(ptr(honest(t, farm, task)))
	if err != nil {
		t.Fatal(err)
	}
	if err := arrives(good, &task); err != nil {
		t.Fatalf("an honest result is refused: %v", err)
	}
	rng := rand.New(rand.NewPCG(20, 10_000))
	refused, unsent := map[string]int{}, 0
	for n := range 10_000 {
		if n%2 == 0 {
			damaged := damage(rng, good)
			if arrives(damaged, &task) != nil {
				refused["damaged"]++
			}
			continue
		}
		r, err := work.Decode(good)
		if err != nil {
			t.Fatal(err)
		}
		what := lies[n/2%len(lies)](rng, &r)
		data, err := work.Encode(&r)
		if err != nil {
			unsent++ // the program of an honest worker does not let it pass
			continue
		}
		if err := arrives(data, &task); err == nil {
			if long := strings.HasPrefix(what, "a long") || what == "many links"; long {
				unsent++ // the parsed page was left out
				continue
			}
			t.Errorf("%s passes", what)
		} else {
			refused[what]++
		}
	}
	total := unsent
	for _, n := range refused {
		total += n
	}
	if harmless := 10_000 - total; harmless > 500 || len(refused) < len(lies)-3 {
		t.Errorf("%d of 10,000 messages were refused, in %d ways", total, len(refused))
	}
}

func ptr[T any](v T) *T { return &v }

// damage changes a message: some bytes, its end, or what is inside of the compression.
func damage(rng *rand.Rand, good []byte) []byte {
	const head = 4 // magic and version
	switch rng.IntN(4) {
	case 0:
		return good[:rng.IntN(len(good))]
	case 1:
		bad := append([]byte{}, good...)
		for range 1 + rng.IntN(8) {
			bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
		}
		return bad
	}
	plain, err := reader.DecodeAll(good[head:], nil)
	if err != nil {
		panic(err)
	}
	for range 1 + rng.IntN(4) { // the first bytes are lengths and numbers
		at := rng.IntN(min(len(plain), 1+rng.IntN(len(plain))))
		switch rng.IntN(3) {
		case 0:
			plain[at] = byte(rng.IntN(256))
		case 1:
			plain = append(plain[:at], plain[at+1:]...)
		case 2:
			plain = append(plain[:at], append([]byte{0xff, 0xff, 0xff, 0xff, 0x7f}, plain[at:]...)...)
		}
	}
	return writer.EncodeAll(plain, append([]byte{}, good[:head]...))
}

var (
	reader, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	writer, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
)

// TestHonestResultsPass: whatever a page is like, what a worker sends for it passes the checks.
func TestHonestResultsPass(t *testing.T) {
	farm := worktest.NewFarm(t)
	for _, url := range []string{
		"http://a.test/", "http://a.test/latin", "http://a.test/away", "http://a.test/loop", "http://a.test/missing", "http://a.test/private/x",
		"http://a.test/refresh", "http://big.test/", "http://bomb.test/", "http://cut.test/", "http://elsewhere.test/x", "http://gzip.test/",
		"http://busy.test/", "http://a.test/noindex", "http://none.invalid/", "http://127.0.0.1/",
	} {
		task := usual()
		task.URL = url
		r := honest(t, farm, task)
		data, err := work.Encode(&r)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if err := arrives(data, &task); err != nil {
			t.Error(err)
		}
	}
}

// FuzzDecode reads anything as a message. The seeds are honest results and what damage makes of them.
func FuzzDecode(f *testing.F) {
	task := usual()
	r := work.Canceled(&task)
	r.Task, r.Attempt, r.Began, r.Ended = task.ID, 1, time.Unix(1e9, 0), time.Unix(1e9, 5)
	r.Page, r.Response.Outcome, r.Response.Status = &page.Page{URL: task.URL, Text: "text"}, fetch.OK, 200
	r.Response.Exchanges = []fetch.Exchange{{URL: task.URL, Purpose: fetch.ForPage, Status: 200, At: r.Began}}
	r.Parser = page.Version
	good, err := work.Encode(&r)
	if err != nil {
		f.Fatal(err)
	}
	if err := arrives(good, &task); err != nil {
		f.Fatal(err)
	}
	plain, err := reader.DecodeAll(good[4:], nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain, true)
	f.Add(good[4:], false)
	rng := rand.New(rand.NewPCG(20, 5))
	for range 20 {
		f.Add(damage(rng, good), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, compress bool) {
		head := good[:4] // magic and version
		msg := append(bytes.Clone(head), data...)
		if compress {
			msg = writer.EncodeAll(data, bytes.Clone(head))
		}
		r, err := work.Decode(msg)
		if err != nil {
			return
		}
		if err := r.Check(&task); err != nil {
			return
		}
		again, err := work.Encode(&r)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if err := arrives(again, &task); err != nil {
			t.Fatal(fmt.Errorf("what was written back is refused: %w", err))
		}
	})
}
