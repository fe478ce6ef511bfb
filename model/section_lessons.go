package model

import (
	"errors"
	"fmt"
	"slices"

	"nightjar/model/webgraph"
)

// lessonsSection is the section "lessons": what the model learned from.
type lessonsSection struct {
	Pages      []packedWords `cbor:"pages"`
	Background []packedWords `cbor:"background"`
	Links      []linkLesson  `cbor:"links"`
}

// linkLesson is the stored form of a LinkLesson.
type linkLesson struct {
	_                                  struct{} `cbor:",toarray"`
	From, To                           int
	URL, Anchor, Around, Heading, Path string
}

func (s *lessonsSection) from(b *Bundle) bool {
	*s = lessonsSection{Pages: wordsAs[packedWords](b.Lessons.Pages), Background: wordsAs[packedWords](b.Lessons.Background)}
	for _, l := range b.Lessons.Links {
		s.Links = append(s.Links, linkLesson{From: l.From, To: l.To, URL: l.URL, Anchor: l.Anchor, Around: l.Around, Heading: l.Heading, Path: l.Path})
	}
	return true
}

func (s *lessonsSection) into(b *Bundle) error {
	b.Lessons = Lessons{Pages: wordsAs[Words](s.Pages), Background: wordsAs[Words](s.Background)}
	for _, l := range s.Links {
		link := webgraph.Link{URL: l.URL, Anchor: l.Anchor, Around: l.Around, Heading: l.Heading, Path: l.Path}
		b.Lessons.Links = append(b.Lessons.Links, LinkLesson{From: l.From, To: l.To, Link: link})
	}
	return nil
}

// wordsAs converts words to their stored form or back.
func wordsAs[To, From Words | packedWords](list []From) (all []To) {
	for _, w := range list {
		all = append(all, To(w))
	}
	return all
}

func (b *Bundle) checkLessons() error {
	l := &b.Lessons
	if len(l.Pages) != len(b.Pages) {
		return fmt.Errorf("%d pages have the words of %d", len(b.Pages), len(l.Pages))
	}
	if len(l.Background) > maxBackgroundLessons || len(l.Links) > maxLinkLessons {
		return errors.New("there are more lessons than a model keeps")
	}
	for _, w := range slices.Concat(l.Pages, l.Background) {
		if err := w.check(len(b.Features.Terms)); err != nil {
			return err
		}
	}
	for _, k := range l.Links {
		if k.From < 0 || k.From >= len(b.Pages) || k.To < -1 || k.To >= len(b.Pages) {
			return errors.New("a link that was learned from is not of the session")
		}
	}
	return nil
}
