package protocol

import (
	"bytes"
	"crypto/ecdh"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

func vectors[T any](tb testing.TB, name string) T {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	var rows T
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&rows); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return rows
}

type vector struct {
	Name  string
	Code  Code
	Event json.RawMessage
}

func TestValidVectors(t *testing.T) {
	seen, fields := map[Type]bool{}, field(0)
	for _, v := range vectors[[]vector](t, "valid.json") {
		t.Run(v.Name, func(t *testing.T) {
			e, err := Decode(v.Event)
			if err != nil {
				t.Fatal(err)
			}
			seen[e.Type] = true
			fields |= present(e)
			// Encoding and decoding must not change the event.
			data, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Decode(data)
			if err != nil || !reflect.DeepEqual(e, again) {
				t.Errorf("after a round trip %+v, %v", again, err)
			}
		})
	}
	for typ := range forms {
		if !seen[typ] {
			t.Errorf("no vector of type %s", typ)
		}
	}
	if want := field(1<<len(fieldNames) - 1); fields != want {
		t.Errorf("fields without a vector: %s", want&^fields)
	}
}

func TestInvalidVectors(t *testing.T) {
	for _, v := range vectors[[]vector](t, "invalid.json") {
		t.Run(v.Name, func(t *testing.T) {
			_, err := Decode(v.Event)
			var got *Invalid
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want a refusal with code %s", err, v.Code)
			}
			var head struct{ ID any }
			if err := json.Unmarshal(v.Event, &head); err != nil {
				t.Fatal(err)
			}
			id, _ := head.ID.(string)
			if got.Code != v.Code || got.ID != id {
				t.Errorf("got code %s, id %q (%s), want %s, %q", got.Code, got.ID, got.Message, v.Code, id)
			}
			if len(got.Message) > 300 {
				t.Errorf("the message has %d bytes, want at most 300", len(got.Message))
			}
		})
	}
}

func TestBrokenVectors(t *testing.T) {
	for _, v := range vectors[[]struct{ Name, Text string }](t, "broken.json") {
		_, err := Decode([]byte(v.Text))
		var got *Invalid
		if !errors.As(err, &got) || got.ID != "" {
			t.Fatalf("%s: got %v", v.Name, err)
		}
		if got.Code != BadJSON && v.Name != "two objects" {
			t.Errorf("%s: got code %s (%s)", v.Name, got.Code, got.Message)
		}
	}
}

type handshake struct {
	Client                                    string
	ClientPrivate, ClientPublic, ClientRandom []byte
	DaemonPrivate, DaemonPublic, DaemonRandom []byte
	Shared, Transcript                        []byte
	Digits                                    string
	Key                                       []byte
	Messages                                  []struct {
		From    string
		Message json.RawMessage
	}
}

func TestHandshakeVectors(t *testing.T) {
	for _, v := range vectors[[]handshake](t, "handshake.json") {
		private := map[string]*ecdh.PrivateKey{}
		for name, raw := range map[string][]byte{"c": v.ClientPrivate, "d": v.DaemonPrivate} {
			key, err := ecdh.X25519().NewPrivateKey(raw)
			if err != nil {
				t.Fatal(err)
			}
			private[name] = key
		}
		if !bytes.Equal(private["c"].PublicKey().Bytes(), v.ClientPublic) {
			t.Error("the client's public key differs")
		}
		c, d := PairReveal{Public: v.ClientPublic, Random: v.ClientRandom}, PairReveal{Public: v.DaemonPublic, Random: v.DaemonRandom}
		transcript := Transcript(v.Client, c, d)
		if !bytes.Equal(transcript, v.Transcript) {
			t.Error("the transcript differs")
		}
		if got := Digits(transcript); got != v.Digits {
			t.Errorf("digits %s, want %s", got, v.Digits)
		}
		for side, peer := range map[string][]byte{"c": v.DaemonPublic, "d": v.ClientPublic} {
			key, err := Agree(private[side], peer, transcript)
			if err != nil || !bytes.Equal(key, v.Key) {
				t.Errorf("side %s: key %x, %v", side, key, err)
			}
		}
		var cc, dc PairCommit
		var hello Hello
		var challenge Challenge
		var proof Proof
		for i, into := range map[int]any{0: &cc, 1: &dc, 5: &hello, 6: &challenge, 7: &proof} {
			if err := json.Unmarshal(v.Messages[i].Message, into); err != nil {
				t.Fatal(err)
			}
		}
		if !c.Opens(cc.Commit) || !d.Opens(dc.Commit) || c.Opens(dc.Commit) {
			t.Error("a reveal does not open its commitment, or opens the other one")
		}
		if !SameMAC(challenge.MAC, DaemonMAC(v.Key, hello.Nonce, challenge.Nonce)) {
			t.Error("the daemon's MAC differs")
		}
		if !SameMAC(proof.MAC, ExtensionMAC(v.Key, hello.Nonce, challenge.Nonce)) || SameMAC(proof.MAC, challenge.MAC) {
			t.Error("the extension's MAC differs")
		}
	}
}

func TestReplyVectors(t *testing.T) {
	into := map[string]func() any{
		TypeAck: func() any { return &Ack{} }, TypeRefuse: func() any { return &Refuse{} }, TypeState: func() any { return &State{} },
		TypePong: func() any { return &Plain{} }, TypeDashboard: func() any { return &Dashboard{} },
		TypeKnown: func() any { return &Known{} },
	}
	for _, raw := range vectors[[]json.RawMessage](t, "replies.json") {
		var envelope Envelope
		if err := json.Unmarshal(raw, &envelope); err != nil {
			t.Fatal(err)
		}
		message := into[envelope.Type]()
		if err := json.Unmarshal(raw, message); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		_ = json.Unmarshal(data, &got)
		_ = json.Unmarshal(raw, &want)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", envelope.Type, data, raw)
		}
	}
}

func TestOpenKnown(t *testing.T) {
	long := strings.Repeat("x", MaxURL+1)
	many := `{"type":"known","urls":[` + strings.Repeat(`"",`, MaxKnown) + `""]}`
	for text, want := range map[string]Code{
		`{"type":"known","urls":["http://a.test/","nonsense",""]}`: "",
		`{"type":"known"}`:                             "",
		`{"type":"known","urls":null,"more":1}`:        "", // of a later extension
		`{"type":"known","urls":"http://a.test/"}`:     BadJSON,
		`{"type":"known","urls":[7]}`:                  BadJSON,
		`{"type":"known","urls":[{"url":"x"}]}`:        BadJSON,
		many:                                           TooLarge,
		`{"type":"known","urls":["` + long + `"]}`:     TooLarge,
		`{"type":"known","urls":["` + long[1:] + `"]}`: "",
	} {
		_, err := OpenKnown([]byte(text))
		if got := CodeOf(err); err != nil && got != want || err == nil && want != "" {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// TestRedactVectors tests a rule of crawler/weburl. Its vectors are here because the extension's tests read them too.
func TestRedactVectors(t *testing.T) {
	for _, v := range vectors[[]struct{ URL, Redacted string }](t, "redact.json") {
		if got := weburl.Redact(v.URL); got != v.Redacted {
			t.Errorf("Redact(%q) = %q, want %q", v.URL, got, v.Redacted)
		}
		if got := weburl.Redact(v.Redacted); got != v.Redacted {
			t.Errorf("Redact(%q) = %q, want it unchanged", v.Redacted, got)
		}
	}
}

func TestNeverVectors(t *testing.T) {
	for _, v := range vectors[[]struct {
		Hosts []string
		URL   string
		Never bool
	}](t, "never.json") {
		if got := Never(v.Hosts, v.URL); got != v.Never {
			t.Errorf("Never(%q, %s) = %v", v.Hosts, v.URL, got)
		}
	}
}

func TestAgreeRefusesWeakKeys(t *testing.T) {
	private, err := ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	one := make([]byte, 32)
	one[0] = 1
	for name, peer := range map[string][]byte{"zero": make([]byte, 32), "one": one, "short": make([]byte, 31), "none": nil} {
		if _, err := Agree(private, peer, make([]byte, 32)); !errors.Is(err, ErrBadReveal) {
			t.Errorf("%s: got %v, want ErrBadReveal", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"valid.json", "invalid.json"} {
		for _, v := range vectors[[]vector](f, name) {
			if len(v.Event) < 4096 {
				f.Add([]byte(v.Event))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(data)
		if err != nil {
			var refusal *Invalid
			if !errors.As(err, &refusal) || refusal.Code == "" || refusal.Message == "" {
				t.Fatalf("an error without code or message: %v", err)
			}
			return
		}
		again, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := Decode(again); err != nil || !reflect.DeepEqual(e, b) {
			t.Fatalf("%s decodes to %+v, %v", again, b, err)
		}
	})
}

func TestNameVectors(t *testing.T) {
	problems := map[string]error{"none": ErrNoName, "long": ErrLongName, "taken": ErrNameTaken}
	for _, v := range vectors[[]struct{ Text, Name, Problem string }](t, "names.json") {
		name, err := MilestoneName(v.Text)
		if name != v.Name || err != problems[v.Problem] || err == nil && v.Name == "" {
			t.Errorf("%q: %q, %v; want %q, %q", v.Text, name, err, v.Name, v.Problem)
		}
		if again, err := MilestoneName(name); err == nil && again != name {
			t.Errorf("%q is kept as %q and then as %q", v.Text, name, again)
		}
	}
}

func TestHostVectors(t *testing.T) {
	rules := Rules{Listen: "127.0.0.1:47600"}
	words := map[string]string{"dashboard": OnDashboard, "own-network": OnOwnNetwork, "": ""}
	for _, v := range vectors[[]struct{ URL, Refused string }](t, "hosts.json") {
		want, known := words[v.Refused]
		if got := rules.Refusal(v.URL, false); !known || got != want {
			t.Errorf("%s: %q, want %q", v.URL, got, v.Refused)
		}
		if got := rules.Refusal(v.URL, true); (got != "") != (v.Refused == "dashboard") {
			t.Errorf("%s, of a network that is let in: %q", v.URL, got)
		}
	}
}
