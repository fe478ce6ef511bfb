package frame

import (
	"errors"
	"net/http"
	"net/url"
)

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
