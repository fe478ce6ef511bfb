package ingest

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/lab/traces"
	"nightjar/daemon/store"
)

// canaries is a page with a secret in each place where the extension would have taken it out.
const canaries = `<!DOCTYPE html><html><head><title>Curling</title>
<meta name="csrf-token" content="CANARY"><meta property="og:url" content="https://ice.test/?session=CANARY">
<meta http-equiv="refresh" content="600; url=/next?token=CANARY">
<link rel="canonical" href="https://ice.test/?sid=CANARY"><script>var session = "CANARY"</script>
<style>p { background: url(/p?CANARY) }</style></head><body style="background: url('/b?CANARY')" onload="go('CANARY')">
<!-- CANARY --><p data-user="CANARY">Eight ends make a game of curling, and a stone weighs twenty kilograms.</p>
<form action="/login;jsessionid=CANARY"><input type="hidden" name="csrf" value="CANARY"><input name="q" value="CANARY">
<textarea>CANARY</textarea><select><option value="CANARY" selected>CANARY</option></select>
<button formaction="/go?key=CANARY" value="CANARY">Go</button></form><div contenteditable><p>CANARY</p></div>
<a href="/reset/CANARY">a</a><a href="https://joe:CANARY@ice.test/">b</a><a href="/c#access_token=CANARY">c</a>
<a href="javascript:open('CANARY')">d</a><a href="mailto:CANARY@ice.test">e</a><a href="/stones">stones</a>
<img src="/p.png?signature=CANARY" srcset="/q.png?token=CANARY 2x" alt="stone"><video poster="/v?token=CANARY"></video>
<object data="/o?token=CANARY"></object><iframe src="/f?token=CANARY" srcdoc="<p>CANARY"></iframe><noscript>CANARY</noscript>
<blockquote cite="/c?token=CANARY">Good curling.</blockquote><svg><text>CANARY</text></svg></body></html>`

// A page that comes with secrets in its HTML, from a client that does not take them out, is stored without them; the rest of it
// is stored, and every sum of the database is right.
func TestSnapshotIsScrubbed(t *testing.T) {
	const canary = "Qx7Rt2Lk9Wp4Zs8Vb3Nm"
	html := strings.ReplaceAll(canaries, "CANARY", canary)
	if n := strings.Count(html, canary); n < 20 {
		t.Fatalf("the page has only %d secrets", n)
	}
	d := newDaemon(t)
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	start, v := m.Start("Curling"), m.Visit("http://ice.test/", "Curling", protocol.HowTyped, "")
	shows := m.Snapshot(v.Page, []byte(html))
	for range 2 { // the second time, they are stored already
		ok(t, c.Send(ctx, start, v, shows))
	}
	one := must(sessions.ByUUID(ctx, d.store.DB, m.Session))(t)
	events, err := sessions.Events(ctx, d.store.DB, one.ID)
	if err != nil || len(events) != 3 || events[2].ID != shows.ID {
		t.Fatalf("stored %+v, %v", events, err)
	}
	kept, err := events[2].Unpack()
	if err != nil || !strings.Contains(string(kept), "Eight ends make a game") || !strings.Contains(string(kept), `<a href="/stones">stones</a>`) {
		t.Errorf("stored %s, %v", kept, err)
	}
	found, err := traces.Find(ctx, filepath.Dir(d.path), canary)
	if err != nil || len(found) > 0 {
		t.Errorf("the secret is in %v, %v", found, err)
	}
	if found, err := traces.Find(ctx, filepath.Dir(d.path), "twenty kilograms"); err != nil || len(found) == 0 {
		t.Errorf("what the page says is not found: %v", err)
	}
	verifyAll(ctx, t, d.store)
}

// verifyAll checks every row that has a sum.
func verifyAll(ctx context.Context, t *testing.T, s *store.Store) {
	t.Helper()
	var at safekeeping.Verified
	for done := false; !done; {
		var err error
		if at, done, err = safekeeping.VerifySome(ctx, s.DB, wings.Verifiers, at, 100); err != nil {
			t.Fatal(err)
		}
	}
	if rows, all, err := safekeeping.Unsound(ctx, s.DB, 10); err != nil || all > 0 {
		t.Errorf("rows with a wrong sum: %+v, %v", rows, err)
	}
}
