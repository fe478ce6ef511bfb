package corpus

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler/warc"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/recording"
)

// site is a small recorded web: path -> paths it links to; "-> /path" makes a redirect.
type site map[string]string

const host = "http://wiki.test"

// record writes the site as a WARC file, pages in the order of paths.
func record(t *testing.T, s site, paths ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := warc.NewWriter(&out)
	for _, path := range paths {
		links, status, header, body := s[path], http.StatusOK, http.Header{"Content-Type": {"text/html"}}, ""
		if to, ok := strings.CutPrefix(links, "-> "); ok {
			status = http.StatusMovedPermanently
			header.Set("Location", to)
		} else {
			body = "<title>" + path + "</title><p>The page at " + path + "."
			for _, to := range strings.Fields(links) {
				body += fmt.Sprintf("<a href=%q>%s</a>\n", to, to)
			}
		}
		if err := w.Response(host+path, Epoch, status, header, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	return file(t, "site.warc.gz", out.String())
}

// file writes a file and returns its name.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a recording for replay.
func open(t *testing.T, path string) *recording.Replay {
	t.Helper()
	replay, _, err := recording.Open([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { replay.Close() })
	return replay
}

// labels reads "path label" lines.
func labels(t *testing.T, lines ...string) *Labels {
	t.Helper()
	var text strings.Builder
	for _, line := range lines {
		path, label, _ := strings.Cut(line, " ")
		text.WriteString(host + path + "\t" + label + "\n")
	}
	l, err := ReadLabels([]string{file(t, "labels.tsv", text.String())})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// story writes events as "open /a, follow /b, useful, back /a, submit".
func story(events []protocol.Event) string {
	at := make(map[string]string)
	var words []string
	for _, e := range events {
		switch e.Type {
		case protocol.Visit:
			at[e.Page] = strings.TrimPrefix(e.URL, host)
			verb := "open "
			if e.How == protocol.HowLink {
				verb = "follow "
			}
			words = append(words, verb+at[e.Page])
		case protocol.Back:
			words = append(words, "back "+at[e.Page])
		case protocol.Useful:
			words = append(words, "useful "+at[e.Page])
		case protocol.Submit:
			words = append(words, "submit")
		}
	}
	return strings.Join(words, ", ")
}

// written is the session file of events, which must be one that can be read again.
func written(t *testing.T, events []protocol.Event) string {
	t.Helper()
	var out bytes.Buffer
	if err := session.Write(&out, events); err != nil {
		t.Fatal(err)
	}
	again, err := session.Read(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	recs, err := session.Fold(again)
	if err != nil || len(recs) != 1 || !recs[0].Submitted {
		t.Fatalf("the events make %d sessions (%v)", len(recs), err)
	}
	return out.String()
}
