package online

// Schedule says when the learners of a crawl learn again: the same for all of them, so that strategies can be compared.
type Schedule struct {
	Pages int // judged so far
	Links int // at the last fit of the links' regression
	Judge int // at the last retraining of the judge

	Missed int // links without a page since the last fit of the links' regression

	Taught bool // the person marked a page since the last fit of the links' regression
}

// The links' regression learns after so many links without a page, and one more for each missedPages pages judged: dead
// links come in families, which often have nothing else, and a fit takes longer the more links were followed.
const (
	missedFirst = 5
	missedPages = 10
)

// taughtPages bounds how often marks let the learners learn: once in this part of the pages judged so far, since a fit takes
// longer the more links were followed. Up to 100 pages, a mark counts from the next page on.
const taughtPages = 100

// Next counts a page and says what is to learn before the next one: the regression of links every 50 pages up to 1,000 and
// every 100 after, the judge every 150 up to 5,000 and every 500 after, and both soon after a mark. What the judge says is what
// links are learned from, so they are learned anew with it.
func (s *Schedule) Next() (links, judge bool) {
	s.Pages++
	taught := s.Taught && s.Pages-s.Links >= s.Pages/taughtPages
	if taught || s.Pages-s.Judge >= every(s.Pages, 5000, 150, 500) {
		s.Judge, judge = s.Pages, true
	}
	if judge || s.Pages-s.Links >= every(s.Pages, 1000, 50, 100) {
		s.Links, s.Missed, s.Taught, links = s.Pages, 0, false, true
	}
	return links, judge
}

// Teach says that the person marked a page that was judged.
func (s *Schedule) Teach() { s.Taught = true }

// Miss counts a link without a page, and reports whether the regression of links is to learn before the next page.
func (s *Schedule) Miss() (links bool) {
	s.Missed++
	if s.Missed < missedFirst+s.Pages/missedPages {
		return false
	}
	s.Links, s.Missed = s.Pages, 0
	return true
}

// Postpone makes what fell due since former was noted fall due again with the next page: learning was stopped.
func (s *Schedule) Postpone(former Schedule) {
	s.Links, s.Judge, s.Missed, s.Taught = former.Links, former.Judge, former.Missed, former.Taught
}

func every(pages, until, first, then int) int {
	if pages <= until {
		return first
	}
	return then
}
