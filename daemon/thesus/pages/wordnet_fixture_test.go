package pages

import (
	"context"
	"fmt"
	"io"

	"nightjar/daemon/thesus/wordnet"
)

// fakeWordNet is a library whose state the test sets by hand. What was asked of it is written down here.
type fakeWordNet struct {
	state    wordnet.State
	offer    wordnet.Offer
	download wordnet.Download
	said     []string
	err      error // of what is asked next, instead of doing it
}

func (w *fakeWordNet) say(format string, args ...any) error {
	w.said = append(w.said, fmt.Sprintf(format, args...))
	return w.err
}

func (w *fakeWordNet) State() wordnet.State         { return w.state }
func (w *fakeWordNet) Offer() wordnet.Offer         { return w.offer }
func (w *fakeWordNet) Download() wordnet.Download   { return w.download }
func (w *fakeWordNet) Start() error                 { return w.say("start") }
func (w *fakeWordNet) Stop()                        { _ = w.say("stop") }
func (w *fakeWordNet) Remove(context.Context) error { return w.say("remove") }

func (w *fakeWordNet) AddFile(_ context.Context, name string, f io.Reader) error {
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	return w.say("add %s of %d bytes", name, len(data))
}

// fullWordNet is a fake with everything that a page can show.
func fullWordNet(text string) fakeWordNet {
	return fakeWordNet{
		state: wordnet.State{Folder: "/data/" + text, From: wordnet.FromData, Added: true, Version: text, Notice: text + "\n" + text, Problem: "x" + text,
			Nouns: wordnet.Count{Senses: 82192, Words: 117953}, Verbs: wordnet.Count{Senses: 13789, Words: 11540}, Bytes: 23_400_000},
		offer:    wordnet.Offer{Name: "tiny 2.0", URL: "https://two.example.org/tiny.tgz", Size: 10_548_693, Version: "3.1", Licence: "Free for some."},
		download: wordnet.Download{Problem: "x" + text},
	}
}
