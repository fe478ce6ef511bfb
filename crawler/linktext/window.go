package linktext

import "unicode/utf8"

// openLink begins a link at a byte of the source and reads the text before it.
func (s *scan) openLink(href string, pos int) {
	if len(s.found) >= maxFound {
		return
	}
	s.last = len(s.found)
	s.found = append(s.found, found{href: href, pos: pos})
	s.count.words = nil
	s.open, s.room = &s.count, maxAnchor
	s.readBefore(pos)
}

// closeLink ends the open link. The text after it may still bring words.
func (s *scan) closeLink() {
	if s.open != nil {
		s.open = nil
		s.found[s.last].words = s.count.words
	}
}

// finish ends the text after the last link.
func (s *scan) finish() {
	if s.after != nil {
		s.after = nil
		s.found[s.last].words = s.count.words
	}
}

// area adds an area of an image map.
func (s *scan) area(href, alt, title string, pos int) {
	if alt == "" {
		alt = title
	}
	c := counting{vocabulary: s.count.vocabulary}
	c.addText(alt[:min(len(alt), maxAnchor)])
	s.found = append(s.found, found{href: href, pos: pos, words: c.words})
}

// readBefore reads the 100 characters of the source before to, or fewer if a tag cuts them.
func (s *scan) readBefore(to int) {
	from := to
	for n := 0; n < window && from > 0; n++ {
		_, size := utf8.DecodeLastRune(s.body[:from])
		from -= size
	}
	first := len(s.before)
	for first > 0 && s.before[first-1].to > from {
		if s.before[first-1].kind == cut {
			from = s.before[first-1].to
			break
		}
		first--
	}
	for _, t := range s.before[first:] {
		if t.kind == plain {
			s.open.addSource(s.body[t.from:t.to], max(0, from-t.from), t.to-t.from)
		}
	}
}
