package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

// Exporter writes answers from archives to a WARC file that does not refer to other files.
type Exporter struct {
	w     io.Writer
	now   time.Time
	batch batch
}

// NewExporter begins a file with its warcinfo record. name is the file's own name.
func NewExporter(w io.Writer, name, software string, about About, now time.Time) (*Exporter, error) {
	e := &Exporter{w: w, now: now}
	if err := appendInfo(&e.batch.data, name, software, "", about, now); err != nil {
		return nil, fmt.Errorf("export %s: %w", name, err)
	}
	return e, e.flush()
}

// Add writes an exchange of Archive.Read as a whole response record, also if the archive has it as a revisit.
func (e *Exporter) Add(x fetch.Exchange) error {
	it := item{Exchange: x, payload: sha256.Sum256(x.Body), id: uuid.New()}
	if err := e.batch.answer(&it); err != nil {
		return fmt.Errorf("export %.200s: %w", x.URL, err)
	}
	return e.flush()
}

// Missing ends the file with a metadata record that names pages that are not in it, one line each. Without lines it
// writes nothing.
func (e *Exporter) Missing(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	var block strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&block, "missing: %s\r\n", oneLine(line))
	}
	err := warc.Append(&e.batch.data, []warc.Field{
		{Name: "WARC-Type", Value: "metadata"},
		{Name: "WARC-Date", Value: date(e.now)},
		{Name: "WARC-Record-ID", Value: urn(uuid.New())},
		{Name: "Content-Type", Value: "application/warc-fields"},
	}, []byte(block.String()))
	if err != nil {
		return fmt.Errorf("export the missing pages: %w", err)
	}
	return e.flush()
}

// flush writes the records made so far.
func (e *Exporter) flush() error {
	_, err := e.batch.data.WriteTo(e.w)
	e.batch.data = bytes.Buffer{}
	return err
}
