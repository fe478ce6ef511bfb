package pages

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/morning/api"
	"nightjar/daemon/morning/export"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
)

const (
	exportPage = 200   // finds read at once
	maxTicked  = 5_000 // ticked finds of one form
)

// exportForm is a file format of the finds, as the page offers it.
type exportForm struct{ Key, Name string }

var exportForms = []exportForm{
	{"bookmarks", "Bookmarks, for browsers"},
	{"markdown", "Markdown, for Obsidian"},
	{"ris", "RIS, for Zotero"},
	{"bibtex", "BibTeX"},
	{"csv", "CSV, for spreadsheets"},
	{"json", "JSON, for programs"},
	{"warc", "WARC: the saved pages"},
	{"opml", "OPML: the feeds of their sites"},
}

// Exports are the files that the list can be saved as.
func (p findsPage) Exports() []exportForm { return exportForms }

// exportMissing says which finds have no archived page.
type exportMissing struct {
	Missing []missingPage
	Found   int
	More    int // missing ones that are not listed
	Query   url.Values
}

type missingPage struct {
	Link frame.Link
	Why  string
}

// handleFindsExport sends finds as a file: those whose ids the form repeats, or those of the filter.
func (s *server) handleFindsExport(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil { // that of the address
		return frame.BadInput("the address cannot be read")
	}
	chosen, err := chosenFinds(r)
	if err != nil {
		return err
	}
	some := chosen
	some.Limit = 1
	first, err := finds.Before(r.Context(), s.Store.DB, some)
	if err != nil {
		return err
	}
	if len(first) == 0 {
		return frame.BadInput("there is nothing to export: no find matches; choose another filter, or tick finds that are still there")
	}
	name := "nightjar-finds-" + s.Now().Format("2006-01-02")
	switch r.Form.Get("format") {
	case "bookmarks":
		return s.Send(w, r, name+".html", "text/html; charset=utf-8", func() error { return export.Bookmarks(w, s.byTopic(r.Context(), chosen)) })
	case "csv":
		return s.Send(w, r, name+".csv", "text/csv; charset=utf-8", func() error { return export.CSV(w, s.each(r.Context(), chosen)) })
	case "json":
		return s.Send(w, r, name+".json", "application/json", func() error { return export.JSON(w, s.Now(), s.each(r.Context(), chosen)) })
	case "markdown":
		return s.Send(w, r, name+".md", "text/markdown; charset=utf-8", func() error { return export.Markdown(w, s.Now(), s.byTopic(r.Context(), chosen)) })
	case "ris":
		return s.Send(w, r, name+".ris", "application/x-research-info-systems", func() error { return export.RIS(w, s.each(r.Context(), chosen)) })
	case "bibtex":
		return s.Send(w, r, name+".bib", "application/x-bibtex", func() error { return export.BibTeX(w, s.each(r.Context(), chosen)) })
	case "opml":
		return s.exportFeeds(w, r, chosen, name+".opml")
	case "warc":
		return s.exportPages(w, r, chosen, name+".warc.gz")
	}
	return frame.BadInput("choose a format: bookmarks, markdown, ris, bibtex, csv, json, warc or opml")
}

// chosenFinds reads which finds a form asks for. A form that is sent must name finds: it comes from a list of boxes, and
// one without a tick does not mean all.
func chosenFinds(r *http.Request) (finds.Page, error) {
	f := finds.Page{Filter: finds.Filter{Limit: exportPage}}
	ids := r.Form["id"]
	if len(ids) > maxTicked {
		return f, frame.BadInput(fmt.Sprintf("at most %d finds can be ticked; use the filter instead", maxTicked))
	}
	for _, text := range ids {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return f, frame.BadInput("a find is named by its number")
		}
		f.IDs = append(f.IDs, id)
	}
	switch {
	case len(ids) > 0:
		return f, nil
	case r.Method == http.MethodPost:
		return f, frame.BadInput("there is nothing to export: tick at least one find")
	}
	if f.State = r.Form.Get("state"); f.State == "all" {
		f.State = ""
	}
	f.Text = r.Form.Get("q")
	f.Topic, _ = strconv.ParseInt(r.Form.Get("topic"), 10, 64) // as on Finds, anything else means every topic
	return f, nil
}

// views yields finds, a page of them at a time.
func (s *server) views(ctx context.Context, f finds.Page) iter.Seq2[finds.View, error] {
	return func(yield func(finds.View, error) bool) {
		for {
			page, err := finds.Before(ctx, s.Store.DB, f)
			if err != nil {
				yield(finds.View{}, err)
				return
			}
			for _, one := range page {
				if !yield(one, nil) {
					return
				}
			}
			if len(page) < f.Limit {
				return
			}
			f.Before = page[len(page)-1].ID
		}
	}
}

// each yields finds, newest first.
func (s *server) each(ctx context.Context, f finds.Page) export.Finds {
	return func(yield func(api.Find, error) bool) {
		for one, err := range s.views(ctx, f) {
			if !yield(api.FindOf(one, s.Now()), err) || err != nil {
				return
			}
		}
	}
}

// byTopic yields finds topic by topic.
func (s *server) byTopic(ctx context.Context, f finds.Page) export.Finds {
	return func(yield func(api.Find, error) bool) {
		topics, err := topics.Every(ctx, s.Store.DB)
		if err != nil {
			yield(api.Find{}, err)
			return
		}
		for _, t := range topics {
			if f.Topic != 0 && f.Topic != t.ID {
				continue
			}
			of := f
			of.Topic = t.ID
			for one, err := range s.each(ctx, of) {
				if !yield(one, err) || err != nil {
					return
				}
			}
		}
	}
}

// copies yields what was kept of the pages of finds.
func (s *server) copies(ctx context.Context, f finds.Page) export.Copies {
	return func(yield func(finds.Copy, error) bool) {
		for one, err := range s.views(ctx, f) {
			var c finds.Copy
			if err == nil {
				if c, err = finds.CopyOf(ctx, s.Store.DB, one.ID); errors.Is(err, store.ErrNotFound) {
					continue // erased meanwhile
				}
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// maxListed bounds the missing pages that a page lists.
const maxListed = 200

// exportPages sends the archived pages. When some are missing, it first says which, unless the person has seen that.
func (s *server) exportPages(w http.ResponseWriter, r *http.Request, f finds.Page, name string) error {
	pages := export.Pages{Archive: s.Archive, Software: "Nightjar/" + s.Version, Now: s.Now()}
	if r.Form.Get("part") != "yes" {
		p := exportMissing{Query: url.Values{}}
		for c, err := range s.copies(r.Context(), f) {
			if err != nil {
				return err
			}
			switch why := pages.Absent(c); {
			case why == "":
				p.Found++
			case len(p.Missing) < maxListed:
				p.Missing = append(p.Missing, missingPage{frame.LinkTo(c.URL, c.Title), frame.Sentence(why)})
			default:
				p.More++
			}
		}
		if len(p.Missing) > 0 {
			for _, key := range []string{"format", "id", "state", "topic", "q"} {
				p.Query[key] = r.Form[key]
			}
			status := http.StatusOK
			if p.Found == 0 {
				status = http.StatusUnprocessableEntity
			}
			return s.Render(w, r, status, "export-missing", frame.Layout{Title: "Saved pages", Section: "finds"}, p)
		}
	}
	return s.Send(w, r, name, "application/warc", func() error { return pages.WARC(w, name, s.copies(r.Context(), f)) })
}

// exportFeeds sends the feeds that pages on the sites of finds name, as far as crawls saw them.
func (s *server) exportFeeds(w http.ResponseWriter, r *http.Request, f finds.Page, name string) error {
	known := crawls.NewHostMemory(s.Store.DB)
	seen := map[string]bool{}
	var feeds []export.Feed
	for one, err := range s.views(r.Context(), f) {
		if err != nil {
			return err
		}
		host := weburl.Host(one.URL)
		if seen[host] {
			continue
		}
		seen[host] = true
		list, _ := known.List(r.Context(), host)
		for _, file := range list.Files {
			if file.Feed {
				feeds = append(feeds, export.Feed{Host: host, URL: file.URL})
			}
		}
	}
	if len(feeds) == 0 {
		return frame.BadInput("there is nothing to export: no feed is known on the sites of these finds")
	}
	return s.Send(w, r, name, "text/x-opml", func() error { return export.OPML(w, s.Now(), feeds) })
}
