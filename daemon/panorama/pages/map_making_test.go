package pages

import (
	"testing"

	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
)

// A person reads a name for each kind of document that can be read.
func TestKindsHaveNames(t *testing.T) {
	for _, kind := range []document.Kind{document.PDF, document.BibTeX, document.RIS, document.NBIB, document.EndNote, document.WoS, document.RefWorks,
		document.CSLJSON, document.Table, document.HTML, document.Markdown, document.Text, document.Titles} {
		if about := (titlesView{Read: maps.ReadDocument{Kind: string(kind)}}).About(); about == "" {
			t.Errorf("%s has no name", kind)
		}
	}
}
