package ingest

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/learn/models"
	"nightjar/model"
)

func TestSession(t *testing.T) {
	d := newDaemon(t)
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	must(c.WaitState(ctx, func(s protocol.State) bool { return s.Session == nil && len(s.Never) > 0 }))(t)
	events := evening(m, 5)
	ok(t, c.Send(ctx, events...))
	state, err := c.WaitState(ctx, func(s protocol.State) bool { return s.Session != nil && s.Session.Pages == 5 && s.Session.Useful == 1 })
	if err != nil {
		t.Fatalf("%v; the last state is %+v", err, state.Session)
	}
	if state.Session.Status != protocol.StatusRecording || state.Session.Topic != "Hockey" || !slices.Equal(state.Topics, []string{"Hockey"}) {
		t.Errorf("state %+v", state)
	}
	label := m.Of(protocol.Label, events[1].Page, "")
	label.Name = "team"
	ok(t, c.Send(ctx, label))
	must(c.WaitState(ctx, func(s protocol.State) bool { return slices.Equal(s.Names, []string{"team"}) }))(t)
	ok(t, c.Send(ctx, m.Event(protocol.SessionPause)))
	must(c.WaitState(ctx, func(s protocol.State) bool { return s.Session.Status == protocol.StatusPaused }))(t)
	ok(t, c.Send(ctx, m.Event(protocol.SessionResume), m.Event(protocol.Submit)))
	must(c.WaitState(ctx, func(s protocol.State) bool { return s.Session.Status == protocol.StatusSubmitted }))(t)
	topic, err := topics.ByName(ctx, d.store.DB, "hockey")
	if err != nil || !slices.Equal(d.trained.all(), []int64{topic.ID}) {
		t.Errorf("trained %v, want topic %d once; %v", d.trained.all(), topic.ID, err)
	}
}

func TestSubmitThatCannotBeTrained(t *testing.T) {
	d := newDaemon(t)
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/", "x", protocol.HowTyped, "")
	ok(t, c.Send(ctx, start, v, m.Event(protocol.Submit)))
	state, err := c.WaitState(ctx, func(s protocol.State) bool { return s.Problem != "" })
	if err != nil || state.Session.Status != protocol.StatusRecording || !strings.Contains(state.Problem, "Useful") {
		t.Fatalf("state %+v %+v, %v", state, state.Session, err)
	}
	ok(t, c.Send(ctx, m.Of(protocol.Useful, v.Page, "")))
	must(c.WaitState(ctx, func(s protocol.State) bool { return strings.Contains(s.Problem, "three other pages") }))(t)
	if got := d.trained.all(); len(got) != 0 {
		t.Errorf("trained %v", got)
	}
}

func TestRefusals(t *testing.T) {
	d := newDaemon(t)
	var mu sync.Mutex
	refused := map[string]protocol.Code{}
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{OnRefuse: func(r protocol.Refuse) {
		mu.Lock()
		defer mu.Unlock()
		refused[r.ID] = r.Code
	}})
	m := maker(1, browserUUID)
	ctx := within(t, time.Minute)
	ok(t, c.Send(ctx, m.Start("Hockey")))
	other := maker(2, "00000000-0000-4000-8000-000000000000")
	version := m.Event(protocol.SessionPause)
	version.V = 2
	ftp := m.Visit("ftp://ice.test/", "", protocol.HowTyped, "")
	stray := m.Visit("http://ice.test/", "", protocol.HowTyped, "")
	stray.Session = m.UUID()
	never := m.Visit("http://mail.google.com/inbox", "secret inbox", protocol.HowTyped, "")
	login := m.Visit("http://ice.test/login", "Log in", protocol.HowTyped, "")
	form := m.Snapshot(login.Page, []byte("<title>Log in</title><input type=password>"))
	bad := map[string]struct {
		event protocol.Event
		code  protocol.Code
	}{
		"another browser's": {other.Start("Hockey"), protocol.UnknownClient},
		"version":           {version, protocol.BadVersion},
		"unknown type":      {m.Event("scroll"), protocol.UnknownType},
		"ftp":               {ftp, protocol.BadURL},
		"session unknown":   {stray, protocol.NoSession},
		"never-record":      {never, protocol.NeverRecord},
		"its snapshot":      {m.Snapshot(never.Page, []byte("x")), protocol.NeverRecord},
		"password field":    {form, protocol.PasswordPage},
	}
	if err := c.Send(ctx, never, login, form); err == nil {
		t.Error("nothing was refused")
	}
	for name, b := range bad {
		err := c.Send(ctx, b.event)
		mu.Lock()
		if err == nil || refused[b.event.ID] != b.code {
			t.Errorf("%s: refused with %q, want %q", name, refused[b.event.ID], b.code)
		}
		mu.Unlock()
	}
	// Refused events do not block later ones. All are counted: those of the table, and two that were sent before.
	good := m.Visit("http://ice.test/", "Ice", protocol.HowTyped, "")
	ok(t, c.Send(ctx, good))
	if _, err := c.WaitState(ctx, func(s protocol.State) bool { return s.Refused == len(bad)+2 }); err != nil {
		t.Error(err)
	}
}

// TestNonsenseEndsTheConnection checks that a message that is not an event is refused and ends the connection.
func TestNonsenseEndsTheConnection(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	for _, text := range []string{"nonsense", "[]", "7", `{"v":1}`, strings.Repeat("[", 100_000), "{\"id\":\xff}"} {
		ctx := within(t, time.Minute)
		ws := mustProve(t, d, who)
		ok(t, ws.SendRaw(ctx, []byte(text)))
		var answer protocol.Refuse
		for answer.Type != protocol.TypeRefuse {
			data, err := ws.Read(ctx)
			if err != nil {
				t.Fatalf("%.20q: %v", text, err)
			}
			ok(t, json.Unmarshal(data, &answer))
		}
		if _, err := ws.Read(ctx); err == nil {
			t.Errorf("%.20q: the connection stays open", text)
		}
		ws.Drop()
	}
}

// mustProve connects and authenticates without package client.
func mustProve(tb testing.TB, d *daemon, who client.Identity) *socket.Conn {
	tb.Helper()
	ctx := within(tb, time.Minute)
	ws := must(socket.Dial(ctx, nil, d.addr, who.Origin))(tb)
	own := nonce()
	ok(tb, ws.Send(ctx, protocol.Hello{Type: protocol.TypeHello, V: 1, Client: who.Client, Nonce: own}))
	data := must(ws.Read(ctx))(tb)
	var challenge protocol.Challenge
	ok(tb, json.Unmarshal(data, &challenge))
	ok(tb, ws.Send(ctx, protocol.Proof{Type: protocol.TypeProof, MAC: protocol.ExtensionMAC(who.Key, own, challenge.Nonce)}))
	return ws
}

func TestPingAndDashboard(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	for _, path := range []string{"", "/model/3"} {
		if url, err := c.DashboardURL(within(t, time.Minute), path); err != nil || url != "http://nightjar-0.localhost:1"+path {
			t.Errorf("dashboard %q, %v", url, err)
		}
	}
	ws := mustProve(t, d, who)
	defer ws.Drop()
	ctx := within(t, time.Minute)
	for _, step := range []struct{ asked, answer string }{
		{`{"type":"ping"}`, `{"type":"pong"}`},
		{`{"type":"dashboard"}`, `{"type":"dashboard","url":"http://nightjar-0.localhost:1"}`}, // of extensions before paths
		{`{"type":"dashboard","path":7}`, `{"type":"dashboard","url":"http://nightjar-0.localhost:1"}`},
	} {
		ok(t, ws.SendRaw(ctx, []byte(step.asked)))
		for {
			data, err := ws.Read(ctx)
			if err != nil {
				t.Fatalf("%s: %v", step.asked, err)
			}
			if string(data) == step.answer {
				break
			}
		}
	}
}

func TestRevokeClosesAtOnce(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	c := d.mustConnect(t, who, client.Options{})
	must(c.WaitState(within(t, time.Minute), func(protocol.State) bool { return true }))(t)
	ok(t, d.Revoke(t.Context(), browserUUID))
	select { // nobody sends anything more that could end it
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Fatal("the connection is still open")
	}
	_, err := client.Connect(within(t, time.Minute), d.addr, who, client.Options{})
	refusedWith(t, err, protocol.NotPaired)
}

func TestStatePushes(t *testing.T) {
	d := newDaemon(t)
	d.training = func(int64) (*protocol.TrainingState, string) {
		return &protocol.TrainingState{Topic: "Hockey", Stage: "space", Done: 1, Total: 3, Running: true}, "no page has text"
	}
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	ctx := within(t, time.Minute)
	settings := must(d.store.Settings(ctx))(t)
	settings.NeverRecord = []string{"bank.test"}
	ok(t, d.store.SaveSettings(ctx, settings))
	d.bus.Tell(notify.News{Kind: "settings"})
	must(c.WaitState(ctx, func(s protocol.State) bool { return slices.Equal(s.Never, []string{"bank.test"}) }))(t)
	m := maker(1, browserUUID)
	ok(t, c.Send(ctx, append(evening(m, 5), m.Event(protocol.Submit))...))
	state, err := c.WaitState(ctx, func(s protocol.State) bool { return s.Training != nil && s.Problem != "" })
	if err != nil || state.Training.Stage != "space" || state.Problem != "no page has text" {
		t.Errorf("state %+v, %v", state, err)
	}
}

// TestStateLeadsToWhatWasLearned checks that the way to the model's page is told once the training of the session has ended,
// and not for a model that was trained before the session.
func TestStateLeadsToWhatWasLearned(t *testing.T) {
	d := newDaemon(t)
	var running atomic.Bool
	running.Store(true)
	d.training = func(int64) (*protocol.TrainingState, string) {
		return &protocol.TrainingState{Topic: "Hockey", Stage: "space", Running: running.Load()}, ""
	}
	c := d.mustConnect(t, d.mustPair(t, browserUUID, chromeOrigin), client.Options{})
	ctx := within(t, time.Minute)
	m := maker(1, browserUUID)
	events := evening(m, 5)
	ok(t, c.Send(ctx, events...))
	topics, err := topics.List(ctx, d.store.DB)
	if err != nil || len(topics) != 1 {
		t.Fatalf("topics %v, %v", topics, err)
	}
	page := func(target bool, text string) model.Page {
		return model.Page{URL: "http://ice.test/" + text, Text: strings.Repeat(text+" ", 10), Target: target}
	}
	b := must(model.Train(ctx, model.TrainingSet{Topic: "Hockey", Pages: []model.Page{
		page(true, "hockey puck"), page(false, "garden flower"), page(false, "recipe cake"), page(false, "engine wheel"),
	}, Edges: [][2]int{{1, 0}, {2, 1}, {3, 1}}}, model.DefaultSettings(), nil))(t)
	learned := func(from ...string) {
		must(models.Save(ctx, d.store.DB, d.store.Erasures(), topics[0].ID, b, models.Facts{Sessions: from}))(t)
		d.bus.Tell(notify.News{Kind: "training"})
	}
	wait := func(status string, running bool, want string) {
		state, err := c.WaitState(ctx, func(s protocol.State) bool {
			return s.Session != nil && s.Training != nil && s.Session.Status == status && s.Training.Running == running && s.Learned == want
		})
		if err != nil {
			t.Errorf("%s, training %v: learned %q, want %q: %v", status, running, state.Learned, want, err)
		}
	}
	learned("0190a1b2-c3d4-7001-8001-000000000001")
	ok(t, c.Send(ctx, m.Event(protocol.Submit)))
	wait(protocol.StatusSubmitted, true, "")
	running.Store(false)
	d.bus.Tell(notify.News{Kind: "training"})
	wait(protocol.StatusSubmitted, false, "")
	learned("0190a1b2-c3d4-7001-8001-000000000001", events[0].Session)
	wait(protocol.StatusSubmitted, false, protocol.ModelPath(topics[0].ID))
	running.Store(true)
	d.bus.Tell(notify.News{Kind: "training"})
	wait(protocol.StatusSubmitted, true, "")
}
