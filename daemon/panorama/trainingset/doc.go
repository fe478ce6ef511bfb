// Package trainingset finds the positive pages from which the classifier of a document learns ([PANORAMA] §3.2).
//
// An address among the titles of a document is a positive page itself. Each other title is a question to a Provider: Local looks at what is stored on this computer, SearXNG asks an
// instance that the person named, List has addresses that the person gave. Run asks for all titles and joins what they
// found, page by page, with the reasons. PlanOf says beforehand what would be sent to whom. Negative pages are
// trainingdata's.
//
// Titles and answers come from strangers. A title is stripped of whatever a search engine could take for a command, an
// answer is limited in size, and its texts lose their control characters. Nothing here requests a page that was found.
package trainingset

import "context"

// MaxHits is how many pages a search for positive pages finds for a title, as in the paper.
const MaxHits = 10

// Stages of hits, beside those of search.FindTitle.
const (
	StageSearXNG = "searxng"
	StageList    = "list"
	StageNamed   = "named" // the address stands among the titles
)

// Provider finds pages for a title.
type Provider interface {
	// Search returns at most n pages for a phrase, best first, each address once. The error is a *Refusal when the
	// provider gives no answer now, ErrLost, or ErrQueryLimit; with each of these, other phrases may still be
	// answered, since answers are kept. Every other error is one of this computer.
	Search(ctx context.Context, phrase string, n int) ([]Hit, error)
}

// Hit is a page that a phrase found.
type Hit struct {
	URL     string // canonical; see weburl.Canonical
	Title   string // "" if it is not known
	Snippet string // "" if there is none
	Stage   string // how it was found: search.TitlePhrase or TitleNear, StageSearXNG, StageList or StageNamed
}
