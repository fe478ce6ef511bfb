package script

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"nightjar/crawler/warc"
	"nightjar/daemon/app"
	"nightjar/daemon/cli/demo/demoweb"
)

// madeUp writes the made-up web of a seed as web.warc.gz, and which of its pages are about its topic as
// labels.tsv: madeup SEED.
func madeUp(ts *testscript.TestScript, _ bool, args []string) {
	seed, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	web := demoweb.Generate(seed)
	var labels strings.Builder
	for _, url := range web.RelevantPages() {
		labels.WriteString(url + "\ttopic\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs("labels.tsv"), []byte(labels.String()), 0o600))
	var archive bytes.Buffer
	ts.Check(web.Record(&archive))
	ts.Check(os.WriteFile(ts.MkAbs("web.warc.gz"), archive.Bytes(), 0o600))
}

// serveWeb serves the made-up web of a seed on loopback until the script ends, at $WEB: serveweb SEED.
func serveWeb(ts *testscript.TestScript, _ bool, args []string) {
	seed, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	server := httptest.NewServer(demoweb.Generate(seed).Handler())
	ts.Defer(server.Close)
	ts.Setenv("WEB", server.Listener.Addr().String())
}

// record writes files of the script as a recording: record FILE URL=FILE...
func record(ts *testscript.TestScript, _ bool, args []string) {
	files := make(map[string]string)
	var urls []string
	for _, arg := range args[1:] {
		url, name, _ := strings.Cut(arg, "=")
		urls, files[url] = append(urls, url), ts.ReadFile(name)
	}
	writeWARC(ts, args[0], urls, func(url string) *http.Response {
		rec := httptest.NewRecorder()
		rec.Header().Set("Content-Type", "text/html")
		_, _ = rec.WriteString(files[url])
		return rec.Result()
	})
}

func writeWARC(ts *testscript.TestScript, name string, urls []string, answer func(url string) *http.Response) {
	var out bytes.Buffer
	w := warc.NewWriter(&out)
	for _, url := range urls {
		res := answer(url)
		var body bytes.Buffer
		_, err := body.ReadFrom(res.Body)
		ts.Check(err)
		ts.Check(w.Response(url, time.Unix(1e9, 0), res.StatusCode, res.Header, body.Bytes()))
	}
	ts.Check(os.WriteFile(ts.MkAbs(name), out.Bytes(), 0o600))
}

// shorten cuts bytes off the end of a file: shorten FILE BYTES.
func shorten(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:len(text)-n]), 0o600))
}

// exits runs a program that must end with a code: exits CODE PROGRAM ARGS...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case err == nil && code == 0, errors.As(err, &exit) && exit.ExitCode() == code:
	default:
		ts.Fatalf("%v ended with %v, not with code %d", args[1:], err, code)
	}
}

// awaits waits until a daemon serves a data folder: awaits DIR.
func awaits(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(time.Minute); !app.Running(ts.MkAbs(args[0])); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("no daemon serves %s", args[0])
		}
	}
}

// alter copies a file with one thing replaced in one of its lines: alter FILE COPY LINE OLD NEW.
func alter(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.Split(ts.ReadFile(args[0]), "\n")
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	if !strings.Contains(lines[n-1], args[3]) {
		ts.Fatalf("line %d of %s has no %q", n, args[0], args[3])
	}
	lines[n-1] = strings.Replace(lines[n-1], args[3], args[4], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "\n")), 0o600))
}

// putByte copies a file with another byte at a place: putbyte FILE COPY OFFSET VALUE.
func putByte(ts *testscript.TestScript, _ bool, args []string) {
	text := []byte(ts.ReadFile(args[0]))
	offset, err := strconv.Atoi(args[2])
	ts.Check(err)
	value, err := strconv.ParseUint(args[3], 10, 8)
	ts.Check(err)
	if text[offset] == byte(value) {
		ts.Fatalf("byte %d of %s is %d already", offset, args[0], value)
	}
	text[offset] = byte(value)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// object checks that a file is one JSON object and nothing else, whose named fields are numbers: object FILE FIELD...
func object(ts *testscript.TestScript, _ bool, args []string) {
	var fields map[string]any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &fields); err != nil {
		ts.Fatalf("%s is not one JSON object: %v", args[0], err)
	}
	for _, field := range args[1:] {
		if _, ok := fields[field].(float64); !ok {
			ts.Fatalf("%s is %v, not a number", field, fields[field])
		}
	}
}
