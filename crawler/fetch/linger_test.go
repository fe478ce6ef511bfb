package fetch

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
)

// TestGivenUpIsNotSent: when a fetch is given up, the system drops what it has not sent yet, which it shows by a reset instead of an
// orderly end. Otherwise the request would arrive when the network is back after an outage.
func TestGivenUpIsNotSent(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	rule, err := ParseResolve("a.test=" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	ended := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			ended <- err
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		if _, err := http.ReadRequest(r); err != nil {
			ended <- err
			return
		}
		giveUp()
		_, err = r.ReadByte()
		ended <- err
	}()
	live := NewLive(LiveOptions{Resolve: []Resolve{rule}})
	defer live.Close()
	live.Fetch(ctx, "http://a.test/")
	if err := <-ended; err == nil || errors.Is(err, io.EOF) {
		t.Errorf("the connection ended with %v, want a reset", err)
	}
}
