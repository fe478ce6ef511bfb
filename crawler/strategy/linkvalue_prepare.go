package strategy

import (
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/online"
	"nightjar/model/text"
)

// preparedPage is what linkValue reads in a page before it knows which crawl the page is of: its words and those of its links.
type preparedPage struct {
	of       *page.Page
	observed model.Observation
	judged   online.Page
	in       text.Language
	links    []preparedLink
}

// preparedLink is what linkValue reads in a link.
type preparedLink struct {
	url   string
	keys  linkKeys
	place uint64 // key of its place on the pages of the site that holds it
	online.ReadLink
}

// linkKeys are the keys of an address.
type linkKeys struct{ url, folder, host uint64 }

func keysOf(url string) linkKeys {
	return linkKeys{online.Key(url), online.Key(folder(url)), online.Key(weburl.Host(url))}
}

// Prepare reads the words of a page and of its links.
func (s *linkValue) Prepare(p *page.Page) any { return s.prepare(p) }

func (s *linkValue) prepare(p *page.Page) *preparedPage {
	all := &preparedPage{of: p, links: make([]preparedLink, len(p.Links))}
	all.observed, all.judged, all.in = s.observe(s.judge, p)
	host, site := weburl.Host(p.URL), weburl.Site(p.URL)
	for i := range p.Links {
		all.links[i] = s.prepareLink(&p.Links[i], all.in, host, site)
	}
	return all
}

// prepareLink reads a link of a page in a language on a host of a site.
func (s *linkValue) prepareLink(l *page.Link, in text.Language, host, site string) preparedLink {
	same := weburl.Host(l.URL) == host || weburl.Site(l.URL) == site
	return preparedLink{l.URL, keysOf(l.URL), online.Key(site, l.Path), s.vocabulary.Link(in, webLink(*l), same)}
}

// prepared is the visit's page as Prepare read it. Links that the page has got since then, and a page that was not prepared, are
// read now.
func (s *linkValue) prepared(v *Visit) *preparedPage {
	p, ok := v.Prepared.(*preparedPage)
	if !ok || p.of != v.Page {
		return s.prepare(v.Page)
	}
	host, site := weburl.Host(v.Page.URL), weburl.Site(v.Page.URL)
	for i := range v.Page.Links {
		switch l := &v.Page.Links[i]; {
		case i == len(p.links):
			p.links = append(p.links, s.prepareLink(l, p.in, host, site))
		case p.links[i].url != l.URL:
			p.links[i] = s.prepareLink(l, p.in, host, site)
		}
	}
	return p
}

// newVocabulary is an empty vocabulary of the words that the model knows.
func (r reader) newVocabulary() *online.Vocabulary {
	return online.NewVocabulary(r.bundle.Counter(), func(stems []text.Counted) logistic.Row {
		return r.bundle.Features.Row(r.bundle.WordsOf(stems))
	})
}
