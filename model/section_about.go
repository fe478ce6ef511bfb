package model

import (
	"errors"
)

// aboutSection is the section "about": what the model was trained on, and how.
type aboutSection struct {
	Topic    string   `cbor:"topic"`
	Settings Settings `cbor:"settings"`
	Facts    Facts    `cbor:"facts"`
}

func (s *aboutSection) from(b *Bundle) bool {
	*s = aboutSection{Topic: b.Topic, Settings: b.Settings, Facts: b.Facts}
	return true
}

func (s *aboutSection) into(b *Bundle) error {
	b.Topic, b.Settings, b.Facts = s.Topic, s.Settings, s.Facts
	return nil
}

func (b *Bundle) checkAbout() error {
	s := b.Settings
	if !within([]float64{s.Gamma}, 0, 1) || !within([]float64{s.Smoothing}, 0, maxSmoothing) {
		return errors.New("a setting is out of range")
	}
	if s.Neighbours < 1 {
		return errors.New("no neighbours to classify by")
	}
	if year := b.Facts.LastEvent.UTC().Year(); year < 0 || year > 9999 {
		return errors.New("the time of the last event has no year from 0 to 9999")
	}
	return nil
}
