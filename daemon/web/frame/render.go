package frame

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed templates/*.html
var frameTemplates embed.FS

// Layout is what every page has around its content.
type Layout struct {
	Title    string
	Section  string // of the navigation: finds, sessions, model, crawls, settings
	Bare     bool   // without navigation, for people who are not logged in
	Pairs    bool   // the page itself shows the pairing
	NewFinds int
	Around   any // data of the template "banners"
}

// view is the data of a template.
type view struct {
	Layout Layout
	Page   any
}

// parse adds templates. A page is parsed when it is first shown: all of them together are a good part of what a start costs.
func (f *Frame) parse(files embed.FS) {
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if strings.HasPrefix(name, "_") {
			template.Must(f.base.ParseFS(files, file))
			continue
		}
		f.Templates[name] = sync.OnceValue(func() *template.Template {
			return template.Must(template.Must(f.base.Clone()).ParseFS(files, file))
		})
	}
}

// Render writes a page, or nothing when its template fails.
func (f *Frame) Render(w http.ResponseWriter, r *http.Request, status int, name string, l Layout, page any) error {
	if !l.Bare {
		if err := f.options.Around(r, &l); err != nil {
			return err
		}
	}
	data := view{l, page}
	if ids := strings.Fields(r.Header.Get("X-Refresh")); len(ids) > 0 {
		return f.refresh(w, status, name, data, ids)
	}
	return f.Execute(w, status, name, "layout", data)
}

// Show writes a page, or only a part of it for a script that asks for that.
func (f *Frame) Show(w http.ResponseWriter, r *http.Request, name, part string, l Layout, page any) error {
	if r.Header.Get("X-Fragment") != "" {
		return f.Execute(w, http.StatusOK, name, part, page)
	}
	return f.Render(w, r, http.StatusOK, name, l, page)
}

// refresh writes only the parts of a page with the given ids, for a script that keeps them up to date. The page is rendered
// as a whole, so that there is one way to make its HTML.
func (f *Frame) refresh(w http.ResponseWriter, status int, name string, data view, ids []string) error {
	var out bytes.Buffer
	if err := f.write(&out, name, "layout", data); err != nil {
		return err
	}
	answer(w, status, parts(out.Bytes(), ids))
	return nil
}

// Execute writes a part of a page: its whole layout, or a piece that a script puts in place.
func (f *Frame) Execute(w http.ResponseWriter, status int, name, part string, data any) error {
	var out bytes.Buffer
	if err := f.write(&out, name, part, data); err != nil {
		return err
	}
	answer(w, status, out.Bytes())
	return nil
}

func (f *Frame) write(out *bytes.Buffer, name, part string, data any) error {
	t, ok := f.Templates[name]
	if !ok {
		return fmt.Errorf("no template %q", name)
	}
	if err := t().ExecuteTemplate(out, part, data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

func answer(w http.ResponseWriter, status int, html []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(thinAccents(labelCells(html))) // fails when the client is gone
}

// navItem is one entry of the navigation.
type navItem struct {
	Href, Name string
	Current    bool
	Counted    bool
	Count      int
}

// nav makes the entry of the pages of some sections, which are separated by spaces.
func nav(v view, sections, href, name string) navItem {
	item := navItem{Href: href, Name: name, Current: slices.Contains(strings.Fields(sections), v.Layout.Section)}
	if sections == "finds" {
		item.Counted, item.Count = true, v.Layout.NewFinds
	}
	return item
}
