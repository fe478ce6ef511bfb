package pages

import (
	"net/http"

	"nightjar/daemon/chart"
	"nightjar/daemon/thesus/wordnet"
	"nightjar/daemon/web/frame"
)

// wordnetPath shows the WordNet of this computer, and takes an uploaded one.
const wordnetPath = "/explore/wordnet"

// maxWordNet is the maximal size of a file with WordNet in bytes, and maxWordNetForm that of its form.
const (
	maxWordNet     = 64 << 20
	maxWordNetForm = maxWordNet + 1<<20
)

// wordnetPage says which WordNet there is, and how far a download is.
type wordnetPage struct {
	wordnet.State
	Offer    wordnet.Offer
	Download wordnet.Download
	Counts   []wordnetCount
}

// wordnetCount is a line of the table of what WordNet has.
type wordnetCount struct {
	Name string
	wordnet.Count
}

// Where says in words why the folder was looked at.
func (p wordnetPage) Where() string {
	switch p.From {
	case wordnet.FromData:
		return "you added it"
	case wordnet.FromVariable:
		return "the environment variable WNSEARCHDIR names it"
	}
	return "it is installed on this computer"
}

// Regular says that the files have no irregular forms.
func (p wordnetPage) Regular() bool { return p.Found() && p.Nouns.Irregular+p.Verbs.Irregular == 0 }

func (s *server) wordnetPage() wordnetPage {
	p := wordnetPage{State: s.WordNet.State(), Offer: s.WordNet.Offer(), Download: s.WordNet.Download()}
	p.Version, p.Notice, p.Problem = frame.Printable(p.Version), frame.PrintableLines(p.Notice), frame.Sentence(frame.Printable(p.Problem))
	p.Download.Problem = frame.Sentence(frame.Printable(p.Download.Problem))
	p.Counts = []wordnetCount{{"Nouns", p.Nouns}, {"Verbs", p.Verbs}}
	return p
}

func (s *server) handleWordNet(w http.ResponseWriter, r *http.Request) error {
	return s.Render(w, r, http.StatusOK, "wordnet", wordnetLayout("WordNet"), s.wordnetPage())
}

func wordnetLayout(title string) frame.Layout { return frame.Layout{Title: title, Section: "explore"} }

// handleWordNetAdd puts an uploaded WordNet into the data folder.
func (s *server) handleWordNetAdd(w http.ResponseWriter, r *http.Request) error {
	const empty = "choose a file with WordNet first"
	closed, err := s.ParseUpload(r, nil, "the file has more than 64 MiB: unpack it, and use "+s.Typed("explore wordnet add FOLDER"), empty)
	defer closed()
	if err != nil {
		return err
	}
	file, header, err := r.FormFile("file")
	if err != nil {
		return frame.At("file", frame.BadInput(empty))
	}
	defer func() { _ = file.Close() }() // it was only read
	if err := s.WordNet.AddFile(r.Context(), "the file “"+chart.Shorten(100, frame.Printable(header.Filename))+"”", file); err != nil {
		return frame.At("file", err)
	}
	return frame.Done(w, r, wordnetPath, "wordnet-added")
}

// handleWordNetAsk asks before WordNet is downloaded or removed.
func (s *server) handleWordNetAsk(name, title string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		return s.Render(w, r, http.StatusOK, name, wordnetLayout(title), s.wordnetPage())
	}
}

// handleWordNetGet begins a download in the background.
func (s *server) handleWordNetGet(w http.ResponseWriter, r *http.Request) error {
	if err := s.WordNet.Start(); err != nil {
		return err
	}
	return frame.SeeOther(w, r, wordnetPath)
}

// handleWordNetStop ends the download.
func (s *server) handleWordNetStop(w http.ResponseWriter, r *http.Request) error {
	s.WordNet.Stop()
	return frame.Done(w, r, wordnetPath, "wordnet-stopped")
}

// handleWordNetRemove removes the WordNet that was added.
func (s *server) handleWordNetRemove(w http.ResponseWriter, r *http.Request) error {
	if err := s.WordNet.Remove(r.Context()); err != nil {
		return err
	}
	return frame.Done(w, r, wordnetPath, "wordnet-removed")
}
