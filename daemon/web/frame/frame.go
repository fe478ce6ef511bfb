// Package frame is what pages of the dashboard are made with: routes, templates, forms, errors.
//
// To add a page, write a method with two parts in package pages of its wing: it reads what the page shows into a struct, and ends with
// [Frame.Render], which names a file of templates/. Register it in Register with [Frame.Get]. A form's handler is registered with
// [Frame.Post] and ends with [Done] or [SeeOther]; the sentences of [Done] are in daemon/web/notices.txt. If it returns a [BadInput], or an error that the
// wing calls a mistake of the person, the form is shown again with what was typed, and the error beside the field that [At] names.
package frame

import (
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
)

// Frame is what the pages of all wings share: the router, the templates with the layout, and what becomes of errors.
type Frame struct {
	options  Options
	own      *chi.Mux           // everything under the dashboard's own host
	loggedIn chi.Router         // of it, what only a browser with a login gets
	base     *template.Template // the layout and all parts
	mistakes []func(error) string

	Counts *Counts // for pages with what takes long to count
	Checks *Counts // apart, since a check of the database takes longest

	// Templates are those of the pages, by name, each with the layout and all parts.
	Templates map[string]func() *template.Template

	// Uploads are the paths that take files, with the maximal size of the form in bytes.
	Uploads map[string]int64

	// Homes are the pages that have the forms of routes which do not begin with the path of their page. {name} is the value of
	// the path, or of the form. The browser also says on which page it is (Referer), but not after a form was refused.
	Homes map[string]string
}

// Options are the parts of the dashboard that the frame asks.
type Options struct {
	Log     *slog.Logger
	Now     func() time.Time
	DataDir string
	Host    string                                                // the dashboard's own host:port
	Asset   func(name string) (address string, err error)         // of a style sheet, a script or a picture
	Login   func(http.Handler) http.Handler                       // lets requests with a login through
	Around  func(*http.Request, *Layout) error                    // fills in what the layout of every page shows
	Explain func(r *http.Request, err error) (p Problem, ok bool) // explains errors that a person can do something about, such as a full disk
}

// Wing is a wing of the daemon that brings pages.
type Wing interface {
	// Register adds the pages to a frame. It calls [Frame.Add], [Frame.Get] and [Frame.Post].
	Register(f *Frame)
}

// New makes a frame without pages.
func New(o Options) *Frame {
	f := &Frame{options: o, own: chi.NewRouter(), base: template.New("layout"), Templates: map[string]func() *template.Template{},
		Uploads: map[string]int64{}, Homes: map[string]string{}, Counts: newCounts(glance), Checks: newCounts(glance)}
	f.loggedIn = f.own.With(o.Login)
	f.own.MethodNotAllowed(f.Open(func(http.ResponseWriter, *http.Request) error { return errMethod }))
	f.Add(frameTemplates, f.funcs(), func(error) string { return "" })
	return f
}

// Add adds what the pages of a wing are made with: its templates/*.html, of which those whose names begin with _ are parts that
// every page can use; the functions of these templates; and mistake, which returns the text of an error about the person's input,
// and "" for any other error.
func (f *Frame) Add(templates embed.FS, funcs template.FuncMap, mistake func(error) string) {
	f.base.Funcs(funcs)
	f.parse(templates)
	f.mistakes = append(f.mistakes, mistake)
}

// Get registers a page, or a file, for browsers that are logged in.
func (f *Frame) Get(path string, h Handler) { f.loggedIn.Get(path, f.Open(h)) }

// Post registers what takes a form.
func (f *Frame) Post(path string, h Handler) { f.loggedIn.Post(path, f.Open(h)) }

// Otherwise registers what answers browsers that are logged in under every other address.
func (f *Frame) Otherwise(h Handler) { f.own.NotFound(f.options.Login(f.Open(h)).ServeHTTP) }

// Close stops what works in the background for pages, and waits until it has ended.
func (f *Frame) Close() {
	f.Counts.close()
	f.Checks.close()
}

// Router serves everything under the dashboard's own host. Routes that need no login are registered there.
func (f *Frame) Router() *chi.Mux { return f.own }
