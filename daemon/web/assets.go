package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"

	"github.com/go-chi/chi/v5"

	"nightjar/daemon/chart"
	"nightjar/daemon/web/frame"
)

//go:embed static
var staticFiles embed.FS

// assets serves the style sheets, scripts and pictures. Their addresses contain a hash, so that browsers can cache them
// forever. All files share one hash, so that relative imports of scripts work.
type assets struct {
	hash  string
	files map[string][]byte
}

func newAssets() *assets {
	a := &assets{files: make(map[string][]byte)}
	sum := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := staticFiles.ReadFile(name)
		a.files[path.Base(name)] = body
		sum.Write([]byte(name))
		sum.Write(body)
		return err
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	a.files["map.css"] = []byte(chart.CommunitiesStyle) // a report has it, too
	sum.Write(a.files["map.css"])
	a.hash = hex.EncodeToString(sum.Sum(nil)[:8])
	return a
}

// url returns the address of a file. An unknown name is a mistake in a template.
func (a *assets) url(name string) (string, error) {
	if _, ok := a.files[name]; !ok {
		return "", frame.ErrNoPage
	}
	return "/static/" + a.hash + "/" + name, nil
}

func (s *Server) handleAsset(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "name")
	body, ok := s.assets.files[name]
	if !ok || chi.URLParam(r, "hash") != s.assets.hash {
		return frame.ErrNoPage
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(body) // fails when the client is gone
	return nil
}
