package archive

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Other people's readers: each prints type, URL, status and payload length of every record, and fails on a bad digest.
const (
	inPython = `
import sys
from warcio.archiveiterator import ArchiveIterator
with open(sys.argv[1], 'rb') as f:
    for r in ArchiveIterator(f, check_digests='raise'):
        n = len(r.raw_stream.read())
        print(r.rec_type, r.rec_headers.get_header('WARC-Target-URI') or '-', r.http_headers.get_statuscode() if r.rec_type in ('response', 'revisit') else '-', n if r.rec_type != 'warcinfo' else '-')
`
	inNode = `
const { WARCParser } = require(process.env.NIGHTJAR_WARCIO_JS);
(async () => {
  for await (const r of new WARCParser(require('fs').createReadStream(process.argv[1]))) {
    let n = 0;
    const sum = require('crypto').createHash('sha256');
    for await (const part of r) { n += part.length; sum.update(part); }
    const answer = r.warcType === 'response' || r.warcType === 'revisit';
    if (r.warcType === 'response' && r.warcPayloadDigest !== 'sha256:' + sum.digest('hex')) throw new Error(r.warcPayloadDigest);
    console.log(r.warcType, r.warcTargetURI || '-', answer ? r.httpHeaders.statusCode : '-', r.warcType === 'warcinfo' ? '-' : n);
  }
})().catch(e => { console.error(e); process.exit(1); });
`
)

// TestReadByWarcio has the Webrecorder project's readers read what is written here.
func TestReadByWarcio(t *testing.T) {
	readers := map[string]*exec.Cmd{}
	if exec.Command("python3", "-c", "import warcio").Run() == nil {
		readers["python"] = exec.Command("python3", "-c", inPython)
	}
	if os.Getenv("NIGHTJAR_WARCIO_JS") != "" {
		readers["node"] = exec.Command("node", "-e", inNode)
	}
	if len(readers) == 0 {
		t.Skip("left out: neither python3 has the module warcio nor does NIGHTJAR_WARCIO_JS name the index.cjs of npm's warcio")
	}
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	unchanged := got("http://a.test/", http.StatusNotModified, "")
	unchanged.Header = http.Header{"Etag": {`"x"`}}
	body := filler("page", 5000)
	p := mustWrite(t, a, got("http://a.test/?q=1", 200, body), got("http://a.test/robots.txt", 404, "none"))
	mustWrite(t, a, got("http://b.test/x", 200, body), unchanged)
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`warcinfo - - -
response http://a.test/?q=1 200 %d
request http://a.test/?q=1 - 0
response http://a.test/robots.txt 404 4
request http://a.test/robots.txt - 0
revisit http://b.test/x 200 0
request http://b.test/x - 0
revisit http://a.test/ 304 0
request http://a.test/ - 0
`, len(body))
	for name, cmd := range readers {
		var complaint strings.Builder
		cmd.Args, cmd.Stderr = append(cmd.Args, filepath.Join(dir, p.File)), &complaint
		out, err := cmd.Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v %s\n%s", name, err, complaint.String(), out)
		}
	}
}
