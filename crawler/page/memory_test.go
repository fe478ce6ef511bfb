package page

import (
	"runtime"
	"strings"
	"testing"
)

// TestPageFreesDocument keeps the pages of large documents, and no document may be kept with them: each text of a page could
// be a part of it.
func TestPageFreesDocument(t *testing.T) {
	const html = `<html lang=pt-BR><title>Title</title><link rel=canonical href=https://b.example/c>
		<meta name=description content=Description><h1>Heading</h1>
		<a href=https://a.example/x>é</a> <a href=relative?PHPSESSID=1 aria-label=Label></a> <a href=https://a.example/y?PHPSESSID=2>One</a> longword
		<map><area href=https://a.example/z alt=Alt></map><iframe src=https://a.example/frame></iframe><p>Text`
	const size, count = 2 << 20, 10
	var pages []*Page
	before := heap()
	for range count {
		body := html + strings.Repeat("<!-- comment -->", size/16)
		pages = append(pages, mustParse(t, body))
	}
	if kept := heap() - before; kept > size*count/4 {
		t.Errorf("%d pages of %d bytes keep %d bytes", count, size, kept)
	}
	if p := pages[0]; len(p.Links) != 4 || len(p.Frames) != 1 || p.Canonical == "" || p.Language == "" {
		t.Errorf("the page does not have one of each: %+v", p)
	}
}

// heap is how many bytes are in use.
func heap() int64 {
	for range 3 { // memory in a sync.Pool outlives one collection
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
