package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// madeUpWordNet is the archive of a dict folder with a made-up WordNet of a few words.
func madeUpWordNet(t *testing.T) []byte {
	t.Helper()
	files, err := filepath.Glob("../../../model/wordnet/testdata/tiny/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err == nil {
			err = w.WriteHeader(&tar.Header{Name: "dict/" + filepath.Base(path), Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(data))})
		}
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWordNet drops an archive with WordNet on its page, reads what is said of it, looks at what could be downloaded without doing
// so, and removes what was added, which is asked first.
func TestWordNet(t *testing.T) {
	t.Parallel()
	b := startBoard(t)
	d := startDaemon(t, "127.0.0.1:9")
	u := (&user{t: t, pictures: newPictures("wordnet")}).open(b)
	u.address(d.login)
	u.sees(".scripted h1", "")
	u.address(d.origin(u) + "/explore/wordnet")
	u.sees(".explore-tabs [aria-current]", "WordNet")
	u.sees("[data-drop-hint]", "Drop it here.") // with the scripts at work

	u.dropsFile("no.tgz", []byte("This is no archive."))
	u.click("#wordnet-file-form button", "Add the file")
	u.sees("#refused-problem", "this is no .tar.gz")
	u.look("refused")

	u.address(d.origin(u) + "/explore/wordnet")
	u.sees("[data-drop-hint]", "Drop it here.")
	u.dropsFile("dict.tar.gz", madeUpWordNet(t))
	u.click("#wordnet-file-form button", "Add the file")
	u.sees(".banner.done", "WordNet was added.")
	u.sees("#wordnet-here", "is used")
	u.sees("#wordnet", "you added it")
	u.sees("#wordnet-notice ~ pre", "A made-up dictionary for tests.")
	u.look("added")

	u.click("#wordnet a", "Get WordNet")
	u.sees(".told", "https://registry.npmjs.org/")
	u.look("get")
	u.click("a.button", "Do not download")
	u.sees("#wordnet-here", "is used")

	u.click("#wordnet a", "Remove WordNet")
	u.sees("h1", "Remove WordNet?")
	u.click("a.button", "Keep WordNet")
	u.sees("#wordnet-here", "is used")
	u.click("#wordnet a", "Remove WordNet")
	u.click("button", "Remove WordNet")
	u.sees(".banner.done", "The WordNet that was added was removed.")
	u.eventually("see that there is none", func() error { return u.holds(`!document.getElementById("wordnet-here")`) })
	u.look("removed")
}

// dropsFile drops a file on the field for files of the page.
func (u *user) dropsFile(name string, data []byte) {
	u.t.Helper()
	const drop = `(() => { const data = new DataTransfer();
		data.items.add(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q));
		document.querySelector("[data-drop] .hint").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		return document.querySelector("[data-drop] input[type=file]").files[0]?.name === %[2]q; })()`
	u.must(u.holds(fmt.Sprintf(drop, base64.StdEncoding.EncodeToString(data), name)), "drop "+name)
}
