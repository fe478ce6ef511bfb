package frame

import (
	"io"
	"net/http"
	"strings"

	"nightjar/daemon/chart"
)

// Send streams a file. Once its first byte is out no error page can follow: an error then breaks the connection, so that
// the browser shows a failed download and no incomplete file passes for a whole one.
func (f *Frame) Send(w http.ResponseWriter, r *http.Request, name, kind string, write func() error) error {
	w.Header().Set("Content-Type", kind)
	Attachment(w, name)
	if err := write(); err != nil {
		if r.Context().Err() == nil {
			f.options.Log.Warn("export ended early", "err", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}

// SendText sends a text as a file.
func (f *Frame) SendText(w http.ResponseWriter, r *http.Request, name, kind, text string) error {
	return f.Send(w, r, name, kind, func() error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Attachment makes the browser save the response under a name, which has only letters, digits, dots and dashes.
func Attachment(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
}

// FileName turns a topic's name into a file name.
func FileName(topic string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, chart.Shorten(40, topic))
	if name = strings.Trim(name, "-"); name == "" {
		return "session"
	}
	return name
}
