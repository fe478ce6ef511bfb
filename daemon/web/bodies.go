package web

import (
	"io"
	"net/http"
	"time"
)

const (
	uploadStall = 30 * time.Second // without a byte
	uploadTime  = time.Hour        // for all of an upload
	uploadLook  = time.Second      // between two looks at the clock
)

// upload is the body of a large form. It may take longer than other bodies as long as bytes arrive.
type upload struct {
	io.ReadCloser
	control     *http.ResponseController
	began, seen time.Time // seen: when the deadline was set last
}

func newUpload(w http.ResponseWriter, body io.ReadCloser) *upload {
	return &upload{ReadCloser: body, control: http.NewResponseController(w), began: time.Now()}
}

func (u *upload) Read(p []byte) (int, error) {
	if now := time.Now(); now.Sub(u.seen) > uploadLook {
		u.seen = now
		deadline := now.Add(uploadStall)
		if last := u.began.Add(uploadTime); deadline.After(last) {
			deadline = last
		}
		_ = u.control.SetReadDeadline(deadline) // fails only on a connection that is gone, and in tests without one
	}
	return u.ReadCloser.Read(p)
}
