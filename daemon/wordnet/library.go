package wordnet

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"nightjar/model/wordnet"
)

// system is where Debian's package wordnet-base puts WordNet.
const system = "/usr/share/wordnet"

// lookEvery is how often the places are looked at again.
const lookEvery = 2 * time.Second

// Options are what a Library is made of.
type Options struct {
	Dir    string              // data folder
	Log    *slog.Logger        // nil for none
	Getenv func(string) string // nil for os.Getenv
}

// Library is the WordNet of this computer. Its methods may be called from several goroutines.
type Library struct {
	dir    string // DATA/wordnet
	log    *slog.Logger
	getenv func(string) string
	system string
	every  time.Duration // between two looks at the places

	mu     sync.Mutex
	looked time.Time // zero: look at the next use
	seen   string    // stamp of the places when they were read
	is     *edition  // nil without WordNet
	wrong  string    // what is wrong with the places, in sentences
	lost   string    // what was used before and is gone, in a sentence
}

// New makes a Library. Nothing is read before it is used.
func New(o Options) *Library {
	l := &Library{dir: filepath.Join(o.Dir, "wordnet"), log: o.Log, getenv: o.Getenv, system: system, every: lookEvery}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if l.getenv == nil {
		l.getenv = os.Getenv
	}
	return l
}

// Net is WordNet as it is now, or nil. It is read at the first use, which takes 0.3 s, and again when its files have
// changed; senses hold only for the Net that gave them.
func (l *Library) Net() *wordnet.Net {
	if is := l.edition(); is != nil {
		return is.net
	}
	return nil
}

// Fingerprint is the same for the same files and differs for others, wherever they are; "" without WordNet.
func (l *Library) Fingerprint() string {
	if is := l.edition(); is != nil {
		return is.fingerprint
	}
	return ""
}

// Gloss is the definition of a sense of Net, with its examples; "" when it cannot be read.
func (l *Library) Gloss(s wordnet.Sense) string {
	is := l.edition()
	if is == nil || s < 0 || int(s) >= is.net.Len() {
		return ""
	}
	gloss, err := is.gloss(s)
	if err != nil {
		l.log.Warn("a definition cannot be read", "folder", is.place.folder, "error", err)
		l.lookAgain()
		return ""
	}
	return gloss
}

// lookAgain makes the next use look at the places.
func (l *Library) lookAgain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looked = time.Time{}
}

// edition is the WordNet that is used now, or nil.
func (l *Library) edition() *edition {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	return l.is
}

// look reads WordNet again if the files of a place have changed. The caller holds mu.
func (l *Library) look() {
	if !l.looked.IsZero() && time.Since(l.looked) < l.every {
		return
	}
	places := l.places()
	seen := stamp(places) // before they are read: what changes meanwhile is read again
	first := l.seen == ""
	l.looked = time.Now()
	if seen == l.seen {
		return
	}
	before := l.is
	l.seen, l.is, l.wrong = seen, nil, ""
	var wrong []string
	for _, p := range places {
		is, err := load(p)
		if err == nil {
			l.is = is
			break
		}
		if !errors.Is(err, errNone) {
			wrong = append(wrong, fmt.Sprintf("WordNet in %s cannot be used: %v.", p.folder, err))
		} else if p.from == FromVariable {
			wrong = append(wrong, fmt.Sprintf("WNSEARCHDIR names %s, where there is no WordNet: name the folder of data.noun.", p.folder))
		}
	}
	l.wrong = strings.Join(wrong, " ")
	l.noteLost(before)
	l.tell(first, before)
}

// noteLost says what was used before and is gone. The caller holds mu.
func (l *Library) noteLost(before *edition) {
	switch {
	case l.is != nil && (before == nil || before.place.holds()):
		l.lost = ""
	case before == nil || before.place.holds(): // nothing is lost, or it is damaged, which wrong says
	case l.is == nil:
		l.lost = fmt.Sprintf("WordNet's files in %s were removed while Nightjar was running. Words are compared as they are written until WordNet is there again.", before.place.folder)
	default:
		l.lost = fmt.Sprintf("WordNet's files in %s were removed while Nightjar was running. Those in %s are used now.", before.place.folder, l.is.place.folder)
	}
}

// tell logs what changed.
func (l *Library) tell(first bool, before *edition) {
	switch {
	case l.is != nil && (before == nil || before.fingerprint != l.is.fingerprint):
		l.log.Info("WordNet was read", "folder", l.is.place.folder, "version", l.is.version, "took", l.is.took)
	case l.is == nil && !first && before != nil:
		l.log.Warn("WordNet is gone; words are compared as they are written", "folder", before.place.folder)
	}
	if l.wrong != "" {
		l.log.Warn("WordNet cannot be read", "problem", l.wrong)
	}
}
