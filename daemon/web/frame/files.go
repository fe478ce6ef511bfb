package frame

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
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

// ParseUpload reads a form that may have files. closed frees what was read. The error is about the field "file": it
// says large when the request is larger than its route allows, and empty when it cannot be read otherwise. Of a request that is
// too large, no field was read: then the form has only that which tells that it came with a file, from.
func (f *Frame) ParseUpload(r *http.Request, from url.Values, large, empty string) (closed func(), err error) {
	// As much is kept in memory as the form may have, so that no file goes into the system's folder for temporary files, where it
	// would stay when the process is killed.
	err = r.ParseMultipartForm(f.Uploads[r.URL.Path])
	if errors.Is(err, http.ErrNotMultipart) {
		err = r.ParseForm()
	}
	closed = func() {
		if r.MultipartForm != nil {
			_ = r.MultipartForm.RemoveAll() // there are no files to fail for
		}
	}
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		r.PostForm = from
		return closed, At("file", BadInput(large))
	case err != nil:
		return closed, At("file", BadInput(empty))
	}
	return closed, nil
}

// FormFile returns the file in the field "file" of a form that ParseUpload read, and its name as it may be shown. An error says
// that the form has none: the file is in memory.
func FormFile(r *http.Request) (name string, body []byte, err error) {
	if r.MultipartForm == nil || len(r.MultipartForm.File["file"]) == 0 {
		return "", nil, http.ErrMissingFile
	}
	return ReadFile(r.MultipartForm.File["file"][0])
}

// ReadFile is FormFile for one of several files.
func ReadFile(header *multipart.FileHeader) (name string, body []byte, err error) {
	file, err := header.Open()
	if err != nil {
		return "", nil, err
	}
	body = make([]byte, header.Size) // at once: io.ReadAll takes more than twice the memory of a large file
	_, err = io.ReadFull(file, body)
	return chart.Shorten(200, Printable(header.Filename)), body, errors.Join(err, file.Close())
}
