package page

import "regexp"

// notAPage matches the titles of pages that stand where another page should be.
var notAPage = regexp.MustCompile(`(?i)^\W*(error )?404\b|^\W*(not found|access denied|forbidden|just a moment|attention required)\b|` +
	`\b(page|file|document) (was |could )?not (be )?found\b|\bare you (a )?(human|robot)\b|\bcaptcha\b`)

// NoFind says why a page is not shown however relevant it looks, "" when it may be.
func NoFind(p *Page) string {
	switch {
	case p.NoIndex:
		return "the page asks not to be indexed"
	case p.PasswordField:
		return "the page asks for a password"
	case notAPage.MatchString(p.Title):
		return "the title says that the page is missing or closed"
	}
	return ""
}
