package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/panorama/document/pdftext/pdftest"
)

// papersHost has a list of documents of several kinds, and the documents.
const papersHost = "papers.test"

const (
	papers  = "http://" + papersHost + "/"
	owls    = papers + "owls.pdf"
	notes   = papers + "notes.txt"
	picture = papers + "owl.svg"
)

// servePapers serves papersHost.
func servePapers(w http.ResponseWriter, r *http.Request) {
	say := func(kind string, body []byte) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	}
	switch r.URL.Path {
	case "/owls.pdf":
		say("application/pdf", pdftest.Write([][]pdftest.Line{{
			{X: 72, Y: 720, Size: 20, Text: "Owls of the North"},
			{X: 72, Y: 680, Size: 11, Text: "Owls hunt small mammals at night and sleep in hollow trees by day."},
		}}, ""))
	case "/notes.txt":
		say("text/plain; charset=utf-8", []byte("Notes about owls: they fly without a sound."))
	case "/owl.svg":
		say("image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="20"/></svg>`))
	default:
		say("text/html; charset=utf-8", fmt.Appendf(nil, `<!DOCTYPE html><title>Papers</title><h1>Papers</h1><p>Documents about birds of the night.</p>
			<p><a href="/owls.pdf">A paper about owls</a> <a href="/notes.txt">Notes</a> <a href="/more">More papers</a> %s</p>`, r.URL.Path))
	}
}

// documents records another session, of documents: a PDF is a page by its title, and with its text once it is marked; a text
// file is a page; an image is none, and the popup says so.
func (j *job) documents() {
	j.t.Helper()
	j.popup.front().write("#topic", "Owls")
	j.popup.click("button", "Start recording")
	j.popup.sees("#session-facts", "Recording")
	last := "(SELECT max(id) FROM sessions)"
	open := func(url string) {
		j.t.Helper()
		j.reader.front().must(j.reader.tab.Address(url), "go to "+url)
		j.d.holds("it is recorded", "1", `SELECT count(*) FROM visits v JOIN pages p ON p.id = v.page_id
			JOIN events e ON e.page = v.load AND e.type = 'snapshot' WHERE p.url = ? AND v.session_id = `+last, url)
	}
	open(papers + "more")
	open(notes)
	j.d.holds("a text file is a page", "text notes.txt", "SELECT media || ' ' || title FROM visits WHERE session_id = "+last+" ORDER BY seq DESC LIMIT 1")
	open(papers)
	j.reader.follow(owls)
	j.d.holds("the PDF is recorded", "pdf link owls.pdf", "SELECT media || ' ' || how || ' ' || title FROM visits WHERE session_id = "+last+" ORDER BY seq DESC LIMIT 1")
	j.popup.front().sees("#page-facts", "recorded by its title")
	j.popup.look("popup-pdf")
	if n := j.d.number("SELECT count(*) FROM events WHERE type = 'snapshot' AND page = (SELECT load FROM visits WHERE media = 'pdf')"); n != 0 {
		j.t.Errorf("%d texts of the PDF are stored before it is marked", n)
	}
	j.popup.click("#useful", "")
	j.d.holds("its text is read", "Owls of the North", "SELECT title FROM pages WHERE url = ? AND content_hash IS NOT NULL", owls)
	j.popup.sees("#page-facts", "marked Useful")

	events := j.d.number("SELECT count(*) FROM events")
	j.reader.front().must(j.reader.tab.Address(picture), "look at a picture")
	j.popup.front().sees("#page-facts", "This is an image")
	j.popup.look("popup-image")
	if n := j.d.number("SELECT count(*) FROM events"); n != events {
		j.t.Errorf("the image made %d events", n-events)
	}

	j.popup.click("#submit", "")
	j.popup.click("#submit-yes", "")
	j.d.holds("the session is learned", "Owls", "SELECT t.name FROM models m JOIN topics t ON t.id = m.topic_id ORDER BY m.id DESC LIMIT 1")
	recorded, err := session.Read(bytes.NewReader(j.d.export("Owls")))
	if err != nil {
		j.t.Fatal(err)
	}
	graph := strings.Join(graphOf(j.t, recorded), "\n")
	for _, want := range []string{owls + ", 102 bytes of text, useful: true", papers + " -> " + owls, papers + " -> " + notes} {
		if !strings.Contains(graph, want) {
			j.t.Errorf("the web graph lacks %s:\n%s", want, graph)
		}
	}
}
