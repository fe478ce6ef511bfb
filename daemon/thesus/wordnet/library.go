package wordnet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"nightjar/model/wordnet"
)

// lookEvery is how often the places are looked at again.
const lookEvery = 2 * time.Second

// Options are what a Library is made of.
type Options struct {
	Dir     string              // data folder
	Log     *slog.Logger        // nil for none
	Client  *http.Client        // of Get; nil for one that uses the proxies of the environment
	Getenv  func(string) string // nil for os.Getenv
	Changed func()              // is called when a download in the background goes on or ends; nil for nothing
}

// Library is the WordNet of this computer. Its methods may be called from several goroutines.
type Library struct {
	dir     string // DATA/wordnet
	log     *slog.Logger
	client  *http.Client
	getenv  func(string) string
	changed func()
	system  []string
	every   time.Duration // between two looks at the places
	offer   Offer
	pause   time.Duration // that a download may bring nothing
	wait    time.Duration // for another process that adds WordNet

	background background

	mu     sync.Mutex
	looked time.Time // zero: look at the next use
	seen   string    // stamp of the places when they were read
	is     *edition  // nil without WordNet
	wrong  string    // what is wrong with the places, in sentences
	lost   string    // what was used before and is gone, in a sentence
}

// New makes a Library. Nothing is read before it is used.
func New(o Options) *Library {
	l := &Library{dir: filepath.Join(o.Dir, "wordnet"), log: o.Log, client: o.Client, getenv: o.Getenv, changed: o.Changed,
		every: lookEvery, offer: offer, pause: maxPause, wait: lockWait, background: background{asked: make(chan context.Context, 1)}}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if l.client == nil {
		l.client = newClient()
	}
	if l.getenv == nil {
		l.getenv = os.Getenv
	}
	l.system = systemFolders(l.getenv("XDG_DATA_DIRS"))
	if l.changed == nil {
		l.changed = func() {}
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
	// Without WordNet each use looks: another process may just have added one.
	if l.is != nil && !l.looked.IsZero() && time.Since(l.looked) < l.every {
		return
	}
	seen := stamp(l.places())
	first, before := l.seen == "", l.is
	l.looked = time.Now()
	if seen == l.seen {
		return
	}
	for range lookTries {
		l.seen = seen
		l.loadFirst(l.places())
		if seen = stamp(l.places()); seen == l.seen { // nothing was changed meanwhile
			break
		}
	}
	l.noteLost(before)
	l.tell(first, before)
}

// lookTries is how often WordNet is read at once, if it is replaced while it is read.
const lookTries = 4

// loadFirst reads the first place that holds WordNet. The caller holds mu.
func (l *Library) loadFirst(places []place) {
	l.is = nil
	var wrong []string
	for _, p := range places {
		is, err := load(p)
		if err == nil {
			l.is = is
			break
		}
		switch {
		case !errors.Is(err, errNone):
			wrong = append(wrong, fmt.Sprintf("WordNet in %s cannot be used: %v.", p.folder, err))
		case p.from == FromData:
			wrong = append(wrong, fmt.Sprintf("The WordNet that was added is gone from %s: add it again.", p.folder))
		case p.from == FromVariable:
			wrong = append(wrong, fmt.Sprintf("WNSEARCHDIR names %s, where there is no WordNet: name the folder of data.noun.", p.folder))
		}
	}
	l.wrong = strings.Join(wrong, " ")
}

// noteLost says what was used before and is gone. What was added is replaced and removed by the person, or else wrong says
// that it is gone. The caller holds mu.
func (l *Library) noteLost(before *edition) {
	switch {
	case before == nil && l.is == nil: // the loss, if there was one, lasts
	case before == nil || before.place.from == FromData || before.place.holds():
		l.lost = ""
	default:
		l.lost = fmt.Sprintf("WordNet's files in %s were removed while Nightjar was running.", before.place.folder)
		if l.is != nil {
			l.lost += fmt.Sprintf(" Those in %s are used now.", l.is.place.folder)
		}
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
