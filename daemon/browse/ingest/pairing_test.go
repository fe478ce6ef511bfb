package ingest

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/socket"
	"nightjar/daemon/cli/demo/client"
)

const browserUUID = "3f2b8c1e-9d47-4c5a-b6e0-1a2b3c4d5e6f"

// refusedWith fails the test unless err is a refusal with the code.
func refusedWith(tb testing.TB, err error, code protocol.Code) {
	tb.Helper()
	var no *client.Refused
	if !errors.As(err, &no) || no.Code != code {
		tb.Errorf("got %v, want a refusal with code %s", err, code)
	}
}

func ignore(string) {}

func TestPairApproved(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	b, err := BrowserByClient(t.Context(), d.store.DB, browserUUID)
	if err != nil || string(b.Key) != string(who.Key) || b.Origin != chromeOrigin || b.Name != "Test browser" {
		t.Fatalf("stored %+v, %v", b, err)
	}
	if p := d.Pairing(); p.Open || p.Pending != nil {
		t.Errorf("pairing is still %+v", p)
	}
	d.mustConnect(t, who, client.Options{})
}

func TestPairClosedRefusedTimeout(t *testing.T) {
	d := newDaemon(t)
	pair := func(show func(string)) error {
		_, err := client.Pair(within(t, time.Minute), d.addr, browserUUID, "x", chromeOrigin, show)
		return err
	}
	refusedWith(t, pair(ignore), protocol.PairingClosed)
	d.OpenPairing(time.Minute)
	refusedWith(t, pair(func(string) { d.Refuse() }), protocol.PairRefused)
	refusedWith(t, pair(ignore), protocol.PairingClosed) // a refusal closes the window
	var late error
	for window := 200 * time.Millisecond; window < time.Minute; window *= 2 { // a busy machine may take longer than the window is open
		d.OpenPairing(window)
		var no *client.Refused
		if late = pair(ignore); !errors.As(late, &no) || no.Code != protocol.PairingClosed {
			break
		}
	}
	refusedWith(t, late, protocol.PairTimeout)
	if err := d.Approve("000000"); !errors.Is(err, ErrNothingPending) {
		t.Errorf("approving after the window closed: %v", err)
	}
	if all, err := d.store.BrowserViews(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("browsers %v, %v", all, err)
	}
}

func TestApproveOtherDigits(t *testing.T) {
	d := newDaemon(t)
	d.OpenPairing(time.Minute)
	_, err := client.Pair(within(t, time.Minute), d.addr, browserUUID, "x", chromeOrigin, func(digits string) {
		for d.Pairing().Pending == nil {
			time.Sleep(time.Millisecond)
		}
		if p := d.Pairing(); p.Pending.Digits != digits {
			t.Errorf("the dashboard shows %s, the browser %s", p.Pending.Digits, digits)
		}
		for _, other := range []string{"", "abc", digits[1:], digits + "0", strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, digits)} {
			if err := d.Approve(other); !errors.Is(err, ErrOtherDigits) {
				t.Errorf("approving %q: %v", other, err)
			}
		}
		d.Refuse()
	})
	refusedWith(t, err, protocol.PairRefused)
}

// TestMaxTries checks that a window evaluates at most maxTries of a thousand tries.
func TestMaxTries(t *testing.T) {
	d := newDaemon(t)
	d.OpenPairing(time.Minute)
	evaluated := 0
	for range 1000 {
		ctx, cancel := context.WithCancel(within(t, time.Minute))
		_, err := client.Pair(ctx, d.addr, browserUUID, "x", chromeOrigin, func(string) { evaluated++; cancel() })
		cancel()
		var no *client.Refused
		if errors.As(err, &no) && no.Code == protocol.PairingClosed && d.Pairing().Open {
			continue // the previous try has not ended yet
		}
		if evaluated >= maxTries && !d.Pairing().Open {
			break
		}
	}
	if evaluated > maxTries {
		t.Errorf("%d tries were evaluated, want at most %d", evaluated, maxTries)
	}
	if d.Pairing().Open {
		t.Error("pairing is still open")
	}
}

// TestOfferPairing: a page that is open lets browsers ask for a while, and a try counts for all its windows. After a refusal, and
// after too many tries, only the person opens the window again.
func TestOfferPairing(t *testing.T) {
	d := newDaemon(t)
	pair := func(show func(string)) error {
		_, err := client.Pair(within(t, time.Minute), d.addr, browserUUID, "x", chromeOrigin, show)
		return err
	}
	refusedWith(t, pair(ignore), protocol.PairingClosed)
	if !d.Pairing().Called {
		t.Error("a browser that asks while the window is closed has not called")
	}
	d.OfferPairing(time.Minute)
	until := d.Pairing().Until
	if d.OfferPairing(time.Hour); d.Pairing().Until != until {
		t.Error("a page keeps the window open for longer")
	}
	d.WithdrawPairing()
	refusedWith(t, pair(ignore), protocol.PairingClosed)

	d.OfferPairing(time.Minute)
	refusedWith(t, pair(func(string) {
		for d.Pairing().Pending == nil {
			time.Sleep(time.Millisecond)
		}
		refusedWith(t, pair(ignore), protocol.PairingClosed) // the one that asked first is before the person
		if d.WithdrawPairing(); d.Pairing().Pending == nil || !d.Pairing().Open {
			t.Error("a page that was left takes the decision from the person")
		}
		d.Refuse()
	}), protocol.PairRefused)
	if d.OfferPairing(time.Minute); d.Pairing().Open || !d.Pairing().Held {
		t.Error("a page opens the window after the person refused a browser")
	}
	d.OpenPairing(time.Minute)
	if d.WithdrawPairing(); !d.Pairing().Open || d.Pairing().Held {
		t.Error("a page closes the window that the person opened")
	}
}

// TestOfferedTries checks that pages that are opened again give no more tries.
func TestOfferedTries(t *testing.T) {
	d := newDaemon(t)
	evaluated := 0
	for !d.Pairing().Held && evaluated <= maxTries {
		d.OfferPairing(time.Minute)
		ctx, cancel := context.WithCancel(within(t, time.Minute))
		_, err := client.Pair(ctx, d.addr, browserUUID, "x", chromeOrigin, func(string) { evaluated++; cancel() })
		cancel()
		if err == nil {
			t.Fatal("paired without approval")
		}
		d.WithdrawPairing()
	}
	if evaluated != maxTries {
		t.Errorf("%d tries were evaluated, want %d", evaluated, maxTries)
	}
}

// TestPairBadReveal checks that a browser is refused whose revealed key does not match its commitment.
func TestPairBadReveal(t *testing.T) {
	d := newDaemon(t)
	send := func(t *testing.T, reveal func(public, random []byte) protocol.PairReveal) string {
		t.Helper()
		d.OpenPairing(time.Minute)
		ctx := within(t, time.Minute)
		ws := must(socket.Dial(ctx, nil, d.addr, chromeOrigin))(t)
		defer ws.Drop()
		private := must(ecdh.X25519().GenerateKey(rand.Reader))(t)
		public, random := private.PublicKey().Bytes(), nonce()
		ok(t, ws.Send(ctx, protocol.PairCommit{Type: protocol.TypePairCommit, V: 1, Client: browserUUID, Commit: protocol.Commitment(public, random)}))
		must(ws.Read(ctx))(t)
		r := reveal(public, random)
		r.Type = protocol.TypePairReveal
		ok(t, ws.Send(ctx, r))
		data := must(ws.Read(ctx))(t)
		var answer protocol.Refuse
		ok(t, json.Unmarshal(data, &answer))
		return string(answer.Code)
	}
	for name, reveal := range map[string]func(public, random []byte) protocol.PairReveal{
		"other random": func(p, _ []byte) protocol.PairReveal { return protocol.PairReveal{Public: p, Random: nonce()} },
		"other key":    func(_, r []byte) protocol.PairReveal { return protocol.PairReveal{Public: nonce(), Random: r} },
		"shifted": func(p, r []byte) protocol.PairReveal {
			return protocol.PairReveal{Public: p[:31], Random: append(p[31:], r...)}
		},
		"nothing": func(_, _ []byte) protocol.PairReveal { return protocol.PairReveal{} },
	} {
		t.Run(name, func(t *testing.T) {
			if got := send(t, reveal); got != string(protocol.PairRefused) {
				t.Errorf("answered %q", got)
			}
		})
	}
	if d.Pairing().Pending != nil {
		t.Error("a refused browser is pending")
	}
}

func TestHelloRefusals(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	connect := func(who client.Identity) error {
		c, err := client.Connect(within(t, time.Minute), d.addr, who, client.Options{})
		if err == nil {
			// The daemon refuses or sends state only after the proof.
			defer c.Close()
			_, err = c.WaitState(within(t, time.Minute), func(protocol.State) bool { return true })
		}
		return err
	}
	stranger := who
	stranger.Client = "00000000-0000-4000-8000-000000000000"
	refusedWith(t, connect(stranger), protocol.NotPaired)
	elsewhere := who
	elsewhere.Origin = firefoxOrigin // another extension with the stolen key
	refusedWith(t, connect(elsewhere), protocol.NotPaired)
	if err := connect(who); err != nil {
		t.Errorf("the paired browser: %v", err)
	}
	wrong := who
	wrong.Key = nonce()
	if err := connect(wrong); !errors.Is(err, client.ErrImpostor) {
		t.Errorf("a client with another key: %v, want ErrImpostor", err)
	}
}

// TestWrongProof checks that a client is refused that guesses a proof or replays one.
func TestWrongProof(t *testing.T) {
	d := newDaemon(t)
	who := d.mustPair(t, browserUUID, chromeOrigin)
	var overheard []byte
	fixed := nonce()
	try := func(proof func(challenge protocol.Challenge) []byte) string {
		ctx := within(t, time.Minute)
		ws, err := socket.Dial(ctx, nil, d.addr, chromeOrigin)
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Drop()
		if err := ws.Send(ctx, protocol.Hello{Type: protocol.TypeHello, V: 1, Client: browserUUID, Nonce: fixed}); err != nil {
			t.Fatal(err)
		}
		data, err := ws.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var challenge protocol.Challenge
		if err := json.Unmarshal(data, &challenge); err != nil {
			t.Fatal(err)
		}
		if err := ws.Send(ctx, protocol.Proof{Type: protocol.TypeProof, MAC: proof(challenge)}); err != nil {
			t.Fatal(err)
		}
		if data, err = ws.Read(ctx); err != nil {
			t.Fatal(err)
		}
		var answer protocol.Refuse
		_ = json.Unmarshal(data, &answer)
		return answer.Type + " " + string(answer.Code)
	}
	good := func(c protocol.Challenge) []byte {
		overheard = protocol.ExtensionMAC(who.Key, fixed, c.Nonce)
		return overheard
	}
	if got := try(good); got != "state " {
		t.Fatalf("the right proof: %s", got)
	}
	for name, proof := range map[string]func(protocol.Challenge) []byte{
		"replayed":         func(protocol.Challenge) []byte { return overheard },
		"the daemon's own": func(c protocol.Challenge) []byte { return c.MAC },
		"guessed":          func(protocol.Challenge) []byte { return nonce() },
		"empty":            func(protocol.Challenge) []byte { return nil },
	} {
		if got := try(proof); got != "refuse not-paired" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestMessagesBeforeProof checks that the daemon answers any message before the proof with a refusal only.
func TestMessagesBeforeProof(t *testing.T) {
	d := newDaemon(t)
	for _, text := range []string{`{"type":"ping"}`, `{"type":"dashboard"}`, `{}`, `nonsense`, `[]`, `{"type":"proof"}`, `{"type":"hello"}`,
		`{"type":"hello","v":1,"client":"x","nonce":""}`, `{"type":"pair.commit"}`} {
		ctx := within(t, time.Minute)
		ws := must(socket.Dial(ctx, nil, d.addr, chromeOrigin))(t)
		ok(t, ws.SendRaw(ctx, []byte(text)))
		data, err := ws.Read(ctx)
		var answer protocol.Refuse
		if err != nil || json.Unmarshal(data, &answer) != nil || answer.Type != protocol.TypeRefuse {
			t.Errorf("%s: answered %s, %v", text, data, err)
		}
		if _, err := ws.Read(ctx); err == nil {
			t.Errorf("%s: the connection stays open", text)
		}
		ws.Drop()
	}
}
