package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"nightjar/daemon/base/command"
)

const (
	proofTimeout = 10 * time.Second // for the daemon to prove itself
	maxAnswer    = 256 << 20        // bytes of an answer of the daemon
)

// ErrNotRunning is returned when no daemon serves a data folder.
var ErrNotRunning = errors.New("no nightjar is running")

// Call posts a request to the daemon that serves the data folder dir and decodes its answer. request is the body: an io.Reader,
// nil for none, or a value that is sent as JSON. Call returns ErrNotRunning if no daemon serves the folder. Nothing is sent, not
// even the path, before the other side has proved that it is that daemon: after a daemon was killed, anybody on the machine may
// listen on its port.
func Call(ctx context.Context, dir, path string, request, into any) error {
	body, err := bodyOf(request)
	if err != nil {
		return err
	}
	info, err := readRunInfo(dir)
	if errors.Is(err, os.ErrNotExist) {
		return ErrNotRunning
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", runInfoPath(dir), err)
	}
	conn, err := reach(ctx, info)
	if err != nil {
		return notProved(dir, info, err)
	}
	defer func() { _ = conn.Close() }() // the answer has been read
	return ask(ctx, conn, path, body, maxAnswer, into)
}

func bodyOf(request any) (io.Reader, error) {
	switch r := request.(type) {
	case nil:
		return nil, nil
	case io.Reader:
		return r, nil
	}
	text, err := json.Marshal(request)
	return bytes.NewReader(text), err
}

// reach connects to the daemon. The connection is returned after both sides have proved themselves.
func reach(ctx context.Context, info runInfo) (net.Conn, error) {
	config, err := proving(info.Secret, commandSide, daemonSide)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	return (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", info.Control)
}

// notProved is the error of a call for which no daemon proved itself. The lock of the data folder tells whether one runs that
// cannot answer.
func notProved(dir string, info runInfo, err error) error {
	if !Running(dir) || refused(err) {
		return ErrNotRunning // a daemon that was killed leaves its file behind
	}
	return command.WithHint(fmt.Errorf("the nightjar that uses %s (process %d) does not answer: %w", dir, info.PID, err),
		"it hangs or is of another version: stop it and start it again")
}

// refused reports whether nobody listens, as when a daemon is only starting.
func refused(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial" && !op.Timeout()
}

// ask posts a request over a connection that was proved, and decodes the answer, of at most limit bytes.
func ask(ctx context.Context, conn net.Conn, path string, body io.Reader, limit int64, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+daemonSide+path, body)
	if err != nil {
		return err
	}
	once := func(context.Context, string, string) (net.Conn, error) { return conn, nil }
	client := http.Client{
		Transport:     &http.Transport{Proxy: nil, DialContext: once, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		return command.WithHint(fmt.Errorf("ask the daemon: %w", err), "see whether nightjar still runs, then try again")
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return fmt.Errorf("read the daemon's answer: %w", err)
	}
	if int64(len(text)) > limit {
		return fmt.Errorf("the daemon's answer is longer than %d MiB", limit>>20)
	}
	if res.StatusCode == http.StatusOK {
		return json.NewDecoder(bytes.NewReader(text)).Decode(into)
	}
	var said struct{ Error, Hint string }
	switch err := json.Unmarshal(text, &said); {
	case err == nil && said.Error != "" && said.Hint != "":
		return command.WithHint(errors.New(said.Error), "%s", said.Hint)
	case err == nil && said.Error != "":
		return errors.New(said.Error)
	}
	return fmt.Errorf("the daemon answered %s", res.Status)
}
