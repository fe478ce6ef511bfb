package broker

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// raw connects with a worker's credentials and without its manners. Complaints of the server come in the channel.
func raw(t *testing.T, i join.Invite, options ...nats.Option) (*nats.Conn, chan error, error) {
	t.Helper()
	secure, err := i.TLS()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := nkeys.FromSeed([]byte(i.Seed))
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	complaints := make(chan error, 1000)
	nc, err := nats.Connect("nats://"+i.Addresses[0], append([]nats.Option{
		nats.Secure(secure), nats.TLSHandshakeFirst(), nats.Nkey(public, pair.Sign), nats.NoReconnect(), nats.Timeout(patience),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { complaints <- err }),
	}, options...)...)
	if err == nil {
		t.Cleanup(nc.Close)
	}
	return nc, complaints, err
}

// TestWorkerMayDoNothingElse: a hostile worker publishes and subscribes wherever something could be gained.
func TestWorkerMayDoNothingElse(t *testing.T) {
	r := start(t, nil)
	i := r.invite(t, "mallory")
	dial(t, r.invite(t, "attic"))
	nc, complaints, err := raw(t, i)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string) {
		t.Helper()
		if err := nc.FlushTimeout(patience); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := wait(t, complaints, "%s was allowed", what); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, subject := range []string{
		"nj.hello", "nj.hello.attic", "nj.next.attic", "nj.result.attic", "nj.beat.attic", "nj.ctl.attic", "nj.ctl.mallory", "nj.next", "nj.next.mallory.x",
		"nj.result.mallory.x", "_INBOX_attic.x", "_INBOX_mallory.x", "_INBOX.x", "$JS.API.INFO", "$JS.API.STREAM.DELETE.NJ_RESULTS",
		"$JS.API.STREAM.PURGE.NJ_RESULTS", "$JS.API.STREAM.MSG.GET.NJ_RESULTS", "$JS.API.CONSUMER.MSG.NEXT.NJ_RESULTS.commit",
		"$JS.API.DIRECT.GET.NJ_RESULTS", "$JS.ACK.NJ_RESULTS.commit.1.1.1.1.0", "$JS.FC.NJ_RESULTS.x", "$SYS.REQ.SERVER.PING", "$SYS.REQ.USER.INFO", "$SRV.PING",
	} {
		if err := nc.Publish(subject, nil); err != nil {
			t.Fatal(err)
		}
		refused("publish on " + subject)
	}
	for _, subject := range []string{
		">", "*", "nj.>", "nj.*.mallory", "nj.next.*", "nj.next.mallory", "nj.result.*", "nj.result.mallory", "nj.hello.*", "nj.ctl.*", "nj.ctl.attic", "nj.ctl.>",
		"_INBOX.>", "_INBOX_attic.>", "_INBOX_attic.*", "*.>", "$JS.>", "$JS.EVENT.>", "$JS.API.>", "$SYS.>", "$SYS.ACCOUNT.>",
	} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		refused("subscribe to " + subject)
		if _, err := nc.QueueSubscribeSync(subject, "daemon"); err != nil {
			t.Fatal(err)
		}
		refused("join the queue of " + subject)
	}
}

// TestAnswersGoToTheAsker: a worker that names somebody else's subject to be answered on gets the daemon, or the stream, to publish
// nothing there that anybody believes.
func TestAnswersGoToTheAsker(t *testing.T) {
	r := start(t, nil)
	victim := dial(t, r.invite(t, "attic"))
	nc, _, err := raw(t, r.invite(t, "mallory"))
	if err != nil {
		t.Fatal(err)
	}
	header := nats.Header{work.HeaderVersion: []string{"1"}}
	say := func(subject, reply string, what any) {
		t.Helper()
		data, err := json.Marshal(what)
		if err != nil {
			t.Fatal(err)
		}
		if err := nc.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: data, Header: header}); err != nil {
			t.Fatal(err)
		}
	}
	s := r.now()
	spied := make(chan *nats.Msg, 1000)
	for _, subject := range []string{"nj.ctl.*", "nj.beat.*", "nj.next.*", "nj.result.*"} {
		if _, err := s.nc.Subscribe(subject, func(m *nats.Msg) { spied <- m }); err != nil {
			t.Fatal(err)
		}
	}
	// The daemon's own answers.
	for _, reply := range []string{"nj.ctl.attic", "nj.result.attic", "nj.beat.attic", "$JS.API.STREAM.PURGE.NJ_RESULTS", "_INBOX_attic.x", "_INBOX_mallory"} {
		say("nj.hello.mallory", reply, work.Hello{Version: work.Version, Name: "mallory"})
		say("nj.next.mallory", reply, work.Ask{Free: 1})
	}
	// The stream's acknowledgements: it answers anywhere.
	for _, reply := range []string{
		"nj.ctl.attic", "nj.beat.attic", "nj.result.attic", "nj.next.attic", "nj.hello.attic", "$JS.API.STREAM.PURGE.NJ_RESULTS", "$JS.API.STREAM.DELETE.NJ_RESULTS",
		"$JS.API.STREAM.UPDATE.NJ_RESULTS", "$JS.API.STREAM.MSG.DELETE.NJ_RESULTS", "$JS.API.CONSUMER.DELETE.NJ_RESULTS.commit",
		"$JS.API.CONSUMER.PAUSE.NJ_RESULTS.commit", "$JS.API.CONSUMER.MSG.NEXT.NJ_RESULTS.commit", "$JS.ACK.NJ_RESULTS.commit.1.1.1.1.0",
	} {
		say("nj.result.mallory", reply, "x")
	}
	// A hello in another name.
	say("nj.hello.mallory", "_INBOX_mallory.x", work.Hello{Version: work.Version, Name: "attic"})
	if err := nc.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	if err := victim.Publish(t.Context(), "honest", 1, []byte("honest")); err != nil {
		t.Fatal(err)
	}
	for text := ""; text != "honest"; {
		text = wait(t, r.desk.got, "the stream is not what it was")
	}
	for more := true; more; {
		select {
		case m := <-spied:
			if m.Header.Get(work.HeaderVersion) != "" && strings.HasSuffix(m.Subject, ".attic") && string(m.Data) != "honest" {
				t.Errorf("a message in attic's name: %s %q", m.Subject, m.Data)
			}
		default:
			more = false
		}
	}
	select {
	case c := <-victim.Controls():
		t.Errorf("an order to attic: %+v", c)
	case b := <-r.desk.beats:
		t.Errorf("a beat of attic: %+v", b)
	case <-victim.Again():
		t.Error("attic was told to say hello again")
	default:
	}
	r.desk.mu.Lock()
	defer r.desk.mu.Unlock()
	for text := range r.desk.arrived {
		if text != `"x"` && text != "honest" {
			t.Errorf("arrived: %q", text)
		}
	}
	if n := len(r.desk.hellos); n != 1 {
		t.Errorf("%d hellos reached the desk, of which one was honest", n)
	}
}

// TestWhoIsNotLetIn: each way to come without being invited.
func TestWhoIsNotLetIn(t *testing.T) {
	t.Parallel()
	r, other := start(t, nil), start(t, nil)
	mine, theirs := r.invite(t, "attic"), other.invite(t, "attic")
	second := r.invite(t, "cellar")
	for name, change := range map[string]func(i *join.Invite){
		"certificate of another authority": func(i *join.Invite) { i.Cert, i.Key = theirs.Cert, theirs.Key },
		"key of another invitation":        func(i *join.Invite) { i.Seed = theirs.Seed },
		"key of another worker":            func(i *join.Invite) { i.Seed = second.Seed },
		"certificate of another worker":    func(i *join.Invite) { i.Cert, i.Key = second.Cert, second.Key },
	} {
		i := mine
		change(&i)
		if _, _, err := raw(t, i); err == nil {
			t.Errorf("%s: let in", name)
		}
	}
	// The worker does not talk to another server than that of its invitation either.
	i := mine
	i.Addresses = theirs.Addresses
	_, _, err := raw(t, i)
	if unknown := new(tls.CertificateVerificationError); !errors.As(err, &unknown) {
		t.Errorf("a foreign server: %v", err)
	}
	// Nor can it be another worker's certificate that answers as a server.
	if got := r.Status().Logins; got < 3 {
		t.Errorf("%d refused logins counted", got)
	}
	for name, options := range map[string][]nats.Option{
		"no certificate": {nats.Secure(&tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13})}, //nolint:gosec // to see the server refuse
		"no TLS": {func(o *nats.Options) error {
			o.Secure, o.TLSConfig, o.TLSHandshakeFirst = false, nil, false
			return nil
		}},
		"the daemon's name": {func(o *nats.Options) error {
			o.Nkey, o.SignatureCB, o.User, o.Password = "", nil, daemonUser, "x"
			return nil
		}},
		"no key": {func(o *nats.Options) error { o.Nkey, o.SignatureCB = "", nil; return nil }},
		"a wrong signature": {func(o *nats.Options) error {
			o.SignatureCB = func([]byte) ([]byte, error) { return make([]byte, 64), nil }
			return nil
		}},
	} {
		if _, _, err := raw(t, mine, append(options, nats.Timeout(patience))...); err == nil {
			t.Errorf("%s: let in", name)
		}
	}
	dial(t, mine)
}

// TestOneConnectionOfAWorker: whoever uses an invitation a second time ends the first connection; there are never two.
func TestOneConnectionOfAWorker(t *testing.T) {
	r := start(t, nil)
	i := r.invite(t, "attic")
	ended := make(chan struct{}, 10)
	if _, _, err := raw(t, i, nats.ClosedHandler(func(*nats.Conn) { ended <- struct{}{} })); err != nil {
		t.Fatal(err)
	}
	second, _, err := raw(t, i)
	if err != nil {
		t.Fatal(err)
	}
	wait(t, ended, "the first connection lives on")
	if err := second.FlushTimeout(patience); err != nil {
		t.Errorf("the second connection: %v", err)
	}
}

// TestFailedLoginsAreLimited: after many failed logins an address is not even greeted, and may come back later.
func TestFailedLoginsAreLimited(t *testing.T) {
	now := time.Now()
	a := newAttempts(func() time.Time { return now })
	from := &net.TCPAddr{IP: net.ParseIP("2001:db8::1"), Port: 1}
	near := &net.TCPAddr{IP: net.ParseIP("2001:db8::ffff:2"), Port: 2}
	far := &net.TCPAddr{IP: net.ParseIP("192.0.2.1"), Port: 3}
	for n := range attemptsAtOnce {
		if !a.begin([]net.Addr{from, near}[n%2]) {
			t.Fatalf("attempt %d was refused", n)
		}
	}
	if a.begin(from) || a.begin(near) {
		t.Error("one attempt too many was allowed")
	}
	for range 10 * attemptsAtOnce {
		if !a.begin(far) {
			t.Fatal("an address that logs in was refused")
		}
		a.succeeded(far)
	}
	if got := a.failed(); got != attemptsAtOnce+2 {
		t.Errorf("%d failed", got)
	}
	now = now.Add(attemptEvery)
	if !a.begin(from) || a.begin(from) {
		t.Error("one more attempt is allowed after a while, and not two")
	}
	for n := range 2 * maxAddresses {
		a.begin(&net.TCPAddr{IP: net.IPv4(10, byte(n>>16), byte(n>>8), byte(n)), Port: 4})
	}
	if len(a.failedAt) > maxAddresses+1 {
		t.Errorf("%d addresses in memory", len(a.failedAt))
	}
}

// TestStreamThatIsFull: a full stream refuses, and has room again when results were committed. One worker cannot take the room of
// another.
func TestStreamThatIsFull(t *testing.T) {
	blocked := make(chan struct{})
	d := newDesk()
	d.fail = func() error {
		select {
		case <-blocked:
			return nil
		default:
			return errors.New("no commits yet")
		}
	}
	r := start(t, func(o *Options, _ *Config) { o.Desk, o.StreamBytes = d, 1<<20 })
	c := dial(t, r.invite(t, "attic"))
	page := make([]byte, 300<<10)
	var stored int
	for n := range 10 {
		page[0] = byte(n)
		err := c.Publish(t.Context(), "t"+string(rune('a'+n)), 1, page)
		if errors.Is(err, join.ErrFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		stored++
	}
	if stored != 3 {
		t.Fatalf("%d results of 300 KiB fit into 1 MiB", stored)
	}
	if err := c.Publish(t.Context(), "huge", 1, make([]byte, join.MaxResult)); !errors.Is(err, join.ErrTooLarge) {
		t.Errorf("a result of %d bytes: %v", join.MaxResult, err)
	}
	for end := time.Now().Add(10 * time.Second); r.Status().Queued != stored; time.Sleep(10 * time.Millisecond) { // counted once its consumer is there
		if time.Now().After(end) {
			t.Fatalf("%d queued, want %d", r.Status().Queued, stored)
		}
	}
	close(blocked)
	for range stored {
		wait(t, d.got, "results did not arrive after all")
	}
	for err := join.ErrFull; err != nil; { // the acknowledgements follow the commit
		if err = c.Publish(t.Context(), "tz", 1, page); err != nil && !errors.Is(err, join.ErrFull) {
			t.Fatal(err)
		}
	}
}

// TestShareOfOneWorker: the stream takes a limited number of results of one worker that wait.
func TestShareOfOneWorker(t *testing.T) {
	d := newDesk()
	d.fail = func() error { return errors.New("no commits") }
	r := start(t, func(o *Options, _ *Config) { o.Desk = d })
	nc, _, err := raw(t, r.invite(t, "mallory"), nats.CustomInboxPrefix(join.Inbox("mallory")))
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for n := range eachWorker + 1 {
		m := &nats.Msg{Subject: join.Result.Of("mallory"), Data: []byte{byte(n)}, Header: nats.Header{work.HeaderVersion: []string{"1"}}}
		_, err = js.PublishMsg(t.Context(), m)
		if (err != nil) != (n == eachWorker) {
			t.Fatalf("result %d: %v", n, err)
		}
	}
	if err := dial(t, r.invite(t, "attic")).Publish(t.Context(), "t", 1, []byte("x")); err != nil {
		t.Errorf("another worker: %v", err)
	}
}

// TestFloodIsEnded: a worker whose results are all wrong is kept out.
func TestFloodIsEnded(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	i := r.invite(t, "mallory")
	c := dial(t, i)
	var err error
	for n := 0; (err == nil || errors.Is(err, join.ErrFull)) && n < 100*badAtOnce; n++ {
		err = c.Publish(t.Context(), "t"+time.Duration(n).String(), 1, []byte("malformed"))
	}
	if err == nil {
		t.Fatal("it may send wrong results for ever")
	}
	wait(t, c.Done(), "its connection did not end")
	if _, _, err := raw(t, i); err == nil {
		t.Error("it may come back at once")
	}
	if w := (&flow{}); w.add(maxMessages, 0, time.Second) || w.add(2*maxMessages, 10, time.Second) {
		t.Error("a worker at the limit is put out")
	}
	w := &flow{}
	for n := range int64(10) {
		if w.add((n+1)*3*maxMessages, 0, time.Second) {
			return
		}
	}
	t.Error("a flood of messages is not seen")
}

// TestSilentConnectionsEnd: who connects and says nothing is put out.
func TestSilentConnectionsEnd(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	nc, err := net.Dial("tcp", r.invite(t, "attic").Addresses[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = nc.Close() }() // it is ended from the other side
	if err := nc.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if n, err := nc.Read(make([]byte, 1)); err == nil || errors.Is(err, nats.ErrTimeout) || n > 0 {
		t.Errorf("%d bytes, %v", n, err)
	} else if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		t.Error("a silent connection is kept")
	}
}
