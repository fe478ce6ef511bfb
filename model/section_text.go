package model

import (
	"errors"
	"fmt"

	"nightjar/model/text"
)

// textSection is the section "text": how texts were counted. A model without it counts as models did before there was a
// choice, so that the stems of a page are those of its vocabulary.
type textSection struct {
	Way       text.Way `cbor:"way"`
	Languages []byte   `cbor:"languages"` // of each page, as numbers of text.Language; empty when all are in English
}

func (s *textSection) from(b *Bundle) bool {
	*s = textSection{Way: b.Way}
	for _, l := range b.Languages {
		s.Languages = append(s.Languages, byte(l))
	}
	return b.Way != text.AsEnglish
}

func (s *textSection) into(b *Bundle) error {
	b.Way = s.Way
	for _, l := range s.Languages {
		b.Languages = append(b.Languages, text.Language(l))
	}
	return nil
}

func (b *Bundle) checkText() error {
	if !b.Way.Known() {
		return fmt.Errorf("%w: it counts words in way %d, this program in up to %d", ErrNewerFormat, b.Way, text.Current)
	}
	if b.Languages != nil && len(b.Languages) != len(b.Pages) {
		return errors.New("not every page has a language")
	}
	for _, l := range b.Languages {
		if !l.Known() {
			return errors.New("a page is in a language that this program does not know")
		}
	}
	return nil
}
