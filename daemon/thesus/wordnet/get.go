package wordnet

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

// maxPause is how long a download may bring nothing.
const maxPause = 30 * time.Second

// Get downloads the WordNet of Offer and puts it into the data folder, as Add does. Nothing is sent but the request for its
// address; a proxy of the environment is used. What comes is checked by size and hash before it is opened. progress is called
// with the bytes that have come; it may be nil. Only one download at a time is possible: ErrBusy.
func (l *Library) Get(ctx context.Context, progress func(done, of int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return l.alone(ctx, func() error {
		f, err := os.CreateTemp(l.dir, archivePrefix)
		if err != nil {
			return &diskError{err}
		}
		defer func() { _ = f.Close() }() // it is removed with what is left over
		if err := l.fetch(ctx, f, progress); err != nil {
			return err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return &diskError{err}
		}
		return l.replace(ctx, l.offer.Name, func(c *collector) error { return c.unpack(l.offer.Name, f) })
	})
}

// fetch writes the offered file to f and checks it.
func (l *Library) fetch(ctx context.Context, f *os.File, progress func(done, of int64)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(l.pause, func() { cancel(errSilent) })
	defer silence.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.offer.URL, nil)
	if err != nil {
		return err
	}
	resp, err := l.client.Do(req)
	if err != nil {
		return l.failed(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // what counts was read
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return l.failed(ctx, fmt.Errorf("%w: the answer was %s", errGone, resp.Status))
	default:
		return l.failed(ctx, fmt.Errorf("the answer was %s", resp.Status))
	}
	size := l.offer.Size
	if resp.ContentLength >= 0 && resp.ContentLength != size {
		return l.failed(ctx, fmt.Errorf("%w: it has %d bytes instead of %d", errOther, resp.ContentLength, size))
	}
	sum, out := sha512.New(), &diskWriter{to: f}
	var came int64
	body := &seen{io.LimitReader(resp.Body, size+1), func(p []byte) error {
		if came += int64(len(p)); len(p) > 0 {
			silence.Reset(l.pause)
			progress(min(came, size), size)
		}
		return nil
	}}
	n, err := io.Copy(io.MultiWriter(out, sum), body)
	switch {
	case out.err != nil:
		return &diskError{out.err}
	case err != nil:
		return l.failed(ctx, err)
	case n != size:
		return l.failed(ctx, fmt.Errorf("%w: its size is not %d bytes", errOther, size))
	case hex.EncodeToString(sum.Sum(nil)) != l.offer.Sum:
		return l.failed(ctx, fmt.Errorf("%w: its SHA-512 is another", errOther))
	}
	return nil
}

var (
	errSilent = errors.New("nothing came for too long")
	errOther  = errors.New("this is not the file that Nightjar knows")
	errGone   = errors.New("the file is no longer there")
)

// failed says why a download failed, and what to do.
func (l *Library) failed(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errSilent) {
		err = cause
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	if about, ok := errors.AsType[*url.Error](err); ok {
		err = about.Err // without the address, which follows
	}
	hint := "check the network and try again, or get"
	switch {
	case errors.Is(err, errOther):
		hint = "nothing was changed; get"
	case errors.Is(err, errGone):
		hint = "get"
	}
	return problemf("download %s: %w: %s WordNet elsewhere and add the file", l.offer.URL, err, hint)
}

// newClient makes a client that uses the proxies of the environment, and follows no redirects, because the address is known.
func newClient() *http.Client {
	dial := &net.Dialer{Timeout: 15 * time.Second}
	return &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dial.DialContext, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 15 * time.Second, ResponseHeaderTimeout: maxPause, DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
