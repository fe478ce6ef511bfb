package online

// Schedule says when the learners of a crawl learn again: the same for all of them, so that strategies can be compared.
type Schedule struct {
	Pages int // judged so far
	Links int // at the last fit of the links' regression
	Judge int // at the last retraining of the judge
}

// Next counts a page and says what is to learn before the next one: the regression of links every 50 pages up to 1,000 and
// every 100 after, the judge every 150 up to 5,000 and every 500 after. What the judge says is what links are learned from,
// so they are learned anew with it.
func (s *Schedule) Next() (links, judge bool) {
	s.Pages++
	if s.Pages-s.Judge >= every(s.Pages, 5000, 150, 500) {
		s.Judge, judge = s.Pages, true
	}
	if judge || s.Pages-s.Links >= every(s.Pages, 1000, 50, 100) {
		s.Links, links = s.Pages, true
	}
	return links, judge
}

// Postpone makes what fell due since former was noted fall due again with the next page: learning was stopped.
func (s *Schedule) Postpone(former Schedule) { s.Links, s.Judge = former.Links, former.Judge }

func every(pages, until, first, then int) int {
	if pages <= until {
		return first
	}
	return then
}
