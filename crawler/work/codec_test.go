package work

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// fill sets every exported field of a value to something that is not its zero value.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(rng.Int64N(1<<32), rng.Int64N(1e9)).UTC()))
		return
	case http.Header:
		v.Set(reflect.ValueOf(http.Header{"A": {"b", "\xff"}, "C-D": {""}}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("é", 1+rng.IntN(5)) + string(rune('a'+rng.IntN(26))))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + rng.Int64N(3))
	case reflect.Uint64:
		v.SetUint(1 + rng.Uint64N(1<<62))
	case reflect.Uint8:
		v.SetUint(uint64(rng.IntN(256)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(rng, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+rng.IntN(3), 3))
		for i := range v.Len() {
			fill(rng, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(rng, v.Field(i))
			}
		}
	default:
		panic("a field of the kind " + v.Kind().String())
	}
}

// filled is a result whose fields are all set, except those that no message holds.
func filled(rng *rand.Rand) Result {
	var r Result
	fill(rng, reflect.ValueOf(&r).Elem())
	r.Parser, r.Response.Packed, r.Response.Lists = page.Version, nil, nil
	for i := range r.Response.Exchanges {
		r.Response.Exchanges[i].Worker = ""
	}
	return r
}

func mustEncode(tb testing.TB, r *Result) []byte {
	tb.Helper()
	data, err := Encode(r)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func mustDecode(tb testing.TB, data []byte) Result {
	tb.Helper()
	r, err := Decode(data)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestEveryFieldArrives finds fields that were added to a result, a response or a page and not to the message.
func TestEveryFieldArrives(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	for range 50 {
		r := filled(rng)
		if diff := cmp.Diff(r, mustDecode(t, mustEncode(t, &r))); diff != "" {
			t.Fatalf("it was sent (-) and arrived (+):\n%s", diff)
		}
	}
	var empty Result
	if diff := cmp.Diff(empty, mustDecode(t, mustEncode(t, &empty))); diff != "" {
		t.Errorf("an empty result:\n%s", diff)
	}
}

// TestSharedBodiesTravelOnce: the body as sent and the page for missing addresses are often the page's body.
func TestSharedBodiesTravelOnce(t *testing.T) {
	body := make([]byte, 1<<20)
	rng := rand.New(rand.NewPCG(20, 2))
	for i := range body {
		body[i] = byte(rng.IntN(256)) // does not compress
	}
	r := Result{Response: fetch.Response{Body: body, NotFound: body, Exchanges: []fetch.Exchange{{Body: body}}}, Host: HostFacts{Missing: body}}
	data := mustEncode(t, &r)
	if len(data) > len(body)+1000 {
		t.Errorf("a body of %d bytes that is there four times takes %d", len(body), len(data))
	}
	if !reflect.DeepEqual(r, mustDecode(t, data)) {
		t.Error("one of the bodies did not arrive")
	}
}

// TestLongResultsAreCut: what only the archive wants goes first, then the parsed page, at last the page.
func TestLongResultsAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	rng := rand.New(rand.NewPCG(20, 3))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.IntN(256))
		}
		return b
	}
	sent := func(part, page, body int) Result {
		return mustDecode(t, mustEncode(t, &Result{
			Parser: parserNow, Page: &somePage, Response: fetch.Response{Outcome: fetch.OK, Body: noise(body), Exchanges: []fetch.Exchange{
				{Purpose: fetch.ForProbe, Body: noise(part)}, {Purpose: fetch.ForPage, Body: noise(page)},
			}},
		}))
	}
	lens := func(r Result) [3]int {
		x := r.Response.Exchanges
		return [3]int{len(x[0].Body), len(x[1].Body), len(r.Response.Body)}
	}
	const m = 1 << 20
	if got := lens(sent(2*m, 2*m, 3*m)); got != [3]int{2 * m, 2 * m, 3 * m} {
		t.Errorf("a result that fits keeps %v bytes", got)
	}
	r := sent(5*m, 2*m, 2*m)
	if got := lens(r); got != [3]int{0, 2 * m, 2 * m} || !r.Response.Exchanges[0].Truncated || r.Response.Exchanges[1].Truncated {
		t.Errorf("the body of a probe is in the way: %v bytes are left", got)
	}
	if r = sent(5*m, 5*m, 4*m); lens(r) != [3]int{0, 0, 4 * m} || r.Page == nil || r.Response.Outcome != fetch.OK {
		t.Errorf("the bodies as sent are in the way: %v bytes are left, outcome %s", lens(r), r.Response.Outcome)
	}
	if r = sent(0, 0, 9*m); lens(r) != [3]int{} || r.Page != nil || r.Response.Outcome != fetch.TooLarge {
		t.Errorf("a page of 9 MiB of noise: %v bytes, outcome %s", lens(r), r.Response.Outcome)
	}
}

var somePage = page.Page{Text: "words"}

const parserNow = page.Version

// TestAnotherParser: the page is left out, and the daemon parses the body.
func TestAnotherParser(t *testing.T) {
	r := filled(rand.New(rand.NewPCG(20, 4)))
	r.Parser = page.Version + 1
	got := mustDecode(t, mustEncode(t, &r))
	if r.Page, r.Sketch = nil, nil; !cmp.Equal(r, got) {
		t.Error(cmp.Diff(r, got))
	}
}

func TestOtherVersionsAndBombsAreRefused(t *testing.T) {
	data := mustEncode(t, &Result{})
	data[len(magic)] = Version + 1
	if _, err := Decode(data); !errors.Is(err, ErrVersion) {
		t.Errorf("another version: %v", err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	head := []byte(magic + string(rune(Version)))
	bomb := enc.EncodeAll(make([]byte, maxPlain+1), bytes.Clone(head))
	if _, err := Decode(bomb); err == nil || len(bomb) > 100_000 {
		t.Errorf("%d bytes that become %d are read: %v", len(bomb), maxPlain+1, err)
	}
	part := enc.EncodeAll(make([]byte, 1<<20), nil)
	if _, err := Decode(append(bytes.Clone(head), bytes.Repeat(part, 2*maxPlain>>20)...)); err == nil {
		t.Error("a bomb of many frames is read")
	}
	if _, err := Decode(append(bytes.Clone(head), make([]byte, MaxMessage)...)); err == nil {
		t.Error("a message that is too long is read")
	}
	long := enc.EncodeAll(append(plainOf(t, &Result{}), 0), bytes.Clone(head))
	if _, err := Decode(long); err == nil {
		t.Error("a message with more behind it is read")
	}
}

// plainOf is a message before it is compressed.
func plainOf(tb testing.TB, r *Result) []byte {
	tb.Helper()
	c := &coder{}
	if c.result(r); c.err != nil {
		tb.Fatal(c.err)
	}
	return c.out
}
