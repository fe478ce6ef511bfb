package ingest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/cli/demo/client"
)

// A site that must never be recorded again goes out of the open session, and pages of it that come later are refused.
func TestNeverRecordSite(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	start := m.Start("Hockey")
	ice, bank := m.Visit("http://ice.test/", "Ice", protocol.HowTyped, ""), m.Visit("http://www.bank.test/", "My bank", protocol.HowTyped, "")
	frame := m.Frame(bank.Page, "http://ads.test/", protocol.KindFrame)
	link := m.Of(protocol.LinkUseful, ice.Page, "")
	link.URL = "http://bank.test/loan"
	events := []protocol.Event{start, ice, bank, frame, link, m.Of(protocol.Useful, ice.Page, ""), m.Of(protocol.Useful, bank.Page, "")}
	ok(t, c.Send(ctx, events...))
	must(c.WaitState(ctx, func(s protocol.State) bool { return s.Session != nil && s.Session.Useful == 2 }))(t)

	ws := mustProve(t, d, who)
	defer ws.Drop()
	ask := protocol.NeverRequest{Type: protocol.TypeNever, V: 1, ID: m.UUID(), Host: "bank.test", Session: m.Session}
	ok(t, ws.Send(ctx, ask))
	state := must(c.WaitState(ctx, func(s protocol.State) bool {
		return slices.Contains(s.Never, "bank.test") && s.Session != nil && s.Session.Useful == 1
	}))(t)
	if state.Session.Pages != 1 {
		t.Errorf("%d pages are left, not 1", state.Session.Pages)
	}
	one := must(sessions.ByUUID(ctx, d.store.DB, m.Session))(t)
	left := must(sessions.Events(ctx, d.store.DB, one.ID))(t)
	text, err := json.Marshal(left)
	if err != nil || strings.Contains(string(text), "bank") || strings.Contains(string(text), "ads.test") || !strings.Contains(string(text), "ice.test") {
		t.Errorf("the session holds %s, %v", text, err)
	}
	later := m.Visit("http://bank.test/later", "My bank", protocol.HowTyped, "")
	if err := c.Send(ctx, later); err == nil || !strings.Contains(fmt.Sprint(err), "never-record") {
		t.Errorf("a later page of the site: %v", err)
	}
}

// What is no host is refused, and the connection goes on.
func TestNeverRecordNothing(t *testing.T) {
	d := newDaemon(t)
	ws := mustProve(t, d, d.mustPair(t, browserUUID, chromeOrigin))
	defer ws.Drop()
	ctx := within(t, time.Minute)
	for i, body := range []string{
		`"host":""`, `"host":"a b"`, `"host":"http://a.test/"`, `"host":7`, `"host":"` + strings.Repeat("a", 300) + `.test"`,
	} {
		id := fmt.Sprintf("id%d", i)
		ok(t, ws.SendRaw(ctx, []byte(`{"type":"never","v":1,"id":"`+id+`","session":"",`+body+`}`)))
		for {
			data, err := ws.Read(ctx)
			if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			if text := string(data); strings.Contains(text, `"refuse"`) {
				if !strings.Contains(text, id) {
					t.Errorf("%s: %s", body, text)
				}
				break
			}
		}
	}
	all, err := d.store.Settings(ctx)
	if err != nil || slices.ContainsFunc(all.NeverRecord, func(h string) bool { return strings.HasPrefix(h, "a") && h != "accounts.google.com" }) {
		t.Errorf("the list is %v, %v", all.NeverRecord, err)
	}
}
