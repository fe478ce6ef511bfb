package apart_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/crawler/work/apart"
)

// fetched is a result whose page is not read yet.
func fetched(body string) work.Result {
	const url = "http://a.example.org/"
	return work.Result{
		Task: strings.Repeat("0", 32), Attempt: 3, URL: url, Parser: page.Version,
		Response: fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, ContentType: "text/html", Body: []byte(body)},
	}
}

// TestRead: a page is the same, whichever process read it.
func TestRead(t *testing.T) {
	for _, body := range []string{"", "<title>A</title><p>Some words<a href=/b>more", strings.Repeat("<div>", 5000) + "deep", "<p>" + strings.Repeat("word ", 100_000)} {
		here, there := fetched(body), fetched(body)
		here.ReadPage()
		if err := apart.Read(t.Context(), &there); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(here.Page, there.Page) || !reflect.DeepEqual(here.Sketch, there.Sketch) || here.Response.Outcome != there.Response.Outcome {
			t.Errorf("%.40q: apart %+v, here %+v", body, there.Page, here.Page)
		}
	}
}

// TestReadCanceled: a reader that is ended changes nothing.
func TestReadCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := fetched("<p>x")
	if err := apart.Read(ctx, &r); !errors.Is(err, context.Canceled) || r.Page != nil || r.Response.Outcome != fetch.OK {
		t.Errorf("%v, %+v", err, r)
	}
}
