package pages

import (
	"context"
	"net/url"
	"path"
	"regexp"
	"strings"

	"nightjar/daemon/morning/finds"
)

// chapter is the form of a title that says little without the title of its book.
var chapter = regexp.MustCompile(`(?i)^\s*((chapter|part|section|appendix|lesson|lecture|unit|kapitel|abschnitt|teil|anhang|chapitre|partie|annexe|cap[ií]tulo|capitolo|parte|hoofdstuk|глава|часть)\s+(\d+|[ivxlc]+|[a-z])\b` +
	`|\d+(\.\d+)*\.\s|\d+(\.\d+)+\s` +
	`|(introduction|preface|foreword|contents|table of contents|index|overview|summary|glossary|bibliography|references|notes|conclusion|options|usage|examples)\s*$)`)

// divider is what sites put between the title of a page and that of its book or site.
var divider = regexp.MustCompile(`\s[-–—|·:»<]+\s`)

// isChapter reports whether a title is that of a chapter, and does not name the book.
func isChapter(title string) bool { return chapter.MatchString(title) && !divider.MatchString(title) }

// books returns the titles of the books that finds are chapters of, by the id of the find.
func (p Pages) books(ctx context.Context, listed []finds.View) (map[int64]string, error) {
	all := map[int64]string{}
	for _, f := range listed {
		if !isChapter(f.Title) {
			continue
		}
		trail, err := finds.Trail(ctx, p.Store.DB, f.FetchID)
		if err != nil {
			return nil, err
		}
		all[f.ID] = bookOf(f.URL, trail)
	}
	return all, nil
}

// bookOf is the title of the last page on a trail, before its end, that is no chapter itself and stands above the address in the
// folders of its host; "" without one.
func bookOf(address string, trail []finds.Step) (title string) {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for _, step := range trail[:max(0, len(trail)-1)] {
		up, err := url.Parse(step.URL)
		if err != nil || up.Host != at.Host || isChapter(step.Title) {
			continue
		}
		if folder, _ := path.Split(up.Path); strings.HasPrefix(at.Path, folder) {
			title = step.Title
		}
	}
	return title
}
