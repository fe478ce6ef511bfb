package wordnet

import (
	"strings"
	"time"

	"nightjar/model/wordnet"
)

// State says whether there is a WordNet, and which. Without one all fields but Added and Problem are zero.
type State struct {
	Folder  string        `json:"folder,omitempty"` // where it was read
	From    From          `json:"from,omitempty"`
	Added   bool          `json:"-"`                 // the data folder holds one, which Remove removes
	Version string        `json:"version,omitempty"` // such as "3.1"; "" when the files do not say
	Nouns   Count         `json:"nouns,omitzero"`
	Verbs   Count         `json:"verbs,omitzero"`
	Bytes   int64         `json:"bytes,omitempty"`   // of the files
	Took    time.Duration `json:"-"`                 // to read them
	Notice  string        `json:"notice,omitempty"`  // copyright and licence, as the files say; a stranger's text
	Problem string        `json:"problem,omitempty"` // what is wrong, or was removed, in sentences; "" when all is well
}

// Count is what WordNet has of a part of speech.
type Count struct {
	Senses    int `json:"senses"`
	Words     int `json:"words"`
	Irregular int `json:"irregular"`
}

// Found says whether there is a WordNet.
func (s State) Found() bool { return s.Folder != "" }

// State looks for WordNet, as Net does, and describes what was found.
func (l *Library) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	s := State{Added: l.current() != "", Problem: strings.TrimSpace(l.wrong + " " + l.lost)}
	if l.is == nil && s.Problem != "" {
		s.Problem += " Until WordNet is there again, words are compared as they are written."
	}
	if is := l.is; is != nil {
		s.Folder, s.From, s.Version, s.Bytes = is.place.folder, is.place.from, is.version, is.bytes
		s.Took, s.Notice = is.took, is.notice
		s.Nouns, s.Verbs = countOf(is.net, wordnet.Noun), countOf(is.net, wordnet.Verb)
	}
	return s
}

func countOf(n *wordnet.Net, pos wordnet.POS) Count {
	senses, words, irregular := n.Count(pos)
	return Count{senses, words, irregular}
}
