package web

import (
	"context"
	"fmt"
	"io"

	"nightjar/daemon/wordnet"
)

// fakeWordNet is a library whose state the test sets by hand. What was asked of it is written down here.
type fakeWordNet struct {
	state    wordnet.State
	offers   []wordnet.Offer
	download wordnet.Download
	said     []string
	err      error // of what is asked next, instead of doing it
}

func (w *fakeWordNet) say(format string, args ...any) error {
	w.said = append(w.said, fmt.Sprintf(format, args...))
	return w.err
}

func (w *fakeWordNet) State() wordnet.State         { return w.state }
func (w *fakeWordNet) Offers() []wordnet.Offer      { return w.offers }
func (w *fakeWordNet) Download() wordnet.Download   { return w.download }
func (w *fakeWordNet) Start(source string) error    { return w.say("start %s", source) }
func (w *fakeWordNet) Stop()                        { _ = w.say("stop") }
func (w *fakeWordNet) Remove(context.Context) error { return w.say("remove") }

func (w *fakeWordNet) AddFile(_ context.Context, name string, f wordnet.File) error {
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
		offers: []wordnet.Offer{
			{Source: "one", Name: "tiny 1.0", URL: "https://one.example.org/tiny.tgz", Size: 6_467_132, Version: "3.0", Licence: "Free for all.", Note: "It has mice."},
			{Source: "two", Name: "tiny 2.0", URL: "https://two.example.org/tiny.tgz", Size: 10_548_693, Version: "3.1", Licence: "Free for some.", Note: "It has no mice."},
		},
		download: wordnet.Download{Problem: "x" + text},
	}
}
