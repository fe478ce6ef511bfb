package model

import (
	"errors"
	"fmt"

	"nightjar/model/text"
)

// textSection is the section "text": how texts were counted, so that the stems of a page are those of the vocabulary.
type textSection struct {
	Way       uint8  `cbor:"way"`
	Languages []byte `cbor:"languages"` // of each page, as numbers of text.Language; empty when all are in English
}

// byLanguage is the way of textSection: as package text counts, in the language of each page.
const byLanguage = 1

func (s *textSection) from(b *Bundle) bool {
	*s = textSection{Way: byLanguage}
	for _, l := range b.Languages {
		s.Languages = append(s.Languages, byte(l))
	}
	return true
}

func (s *textSection) into(b *Bundle) error {
	if s.Way != byLanguage {
		return fmt.Errorf("%w: it counts words in way %d, this program in %d", ErrNewerFormat, s.Way, byLanguage)
	}
	for _, l := range s.Languages {
		b.Languages = append(b.Languages, text.Language(l))
	}
	return nil
}

func (b *Bundle) checkText() error {
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
