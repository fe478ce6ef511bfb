package document

import (
	_ "embed" // of the table
	"strings"
)

// texAccents has the combining mark of each accent of TeX.
var texAccents = map[string]rune{
	"`": 0x300, "'": 0x301, "^": 0x302, "~": 0x303, "=": 0x304, "u": 0x306, ".": 0x307, "\"": 0x308, "r": 0x30A, "H": 0x30B,
	"v": 0x30C, "d": 0x323, "c": 0x327, "k": 0x328, "b": 0x331,
	"grave": 0x300, "acute": 0x301, "hat": 0x302, "widehat": 0x302, "tilde": 0x303, "widetilde": 0x303, "bar": 0x304,
	"breve": 0x306, "dot": 0x307, "ddot": 0x308, "check": 0x30C,
}

// Commands by what they do to a title.
const (
	// texParts part words.
	texParts = ` \ newline linebreak par break newblock quad qquad enspace enskip thinspace space hspace vspace hfill hfil hskip tab bigskip medskip smallskip , ; : > `
	// texHidden have a first argument that no reader of the title sees.
	texHidden = ` thanks footnote footnotetext footnotemark label ref cite citep citet citealp nocite index textcolor color colorbox fontsize selectlanguage foreignlanguage texorpdfstring raisebox vphantom phantom hphantom marginpar todo includegraphics orcid orcidID `
	// texAddresses have an address as first argument.
	texAddresses = ` href url path nolinkurl email `
	// texFonts change only how letters look, or take an argument that is text.
	texFonts = ` rm bf it sl sc sf tt em cal mathrm mathbf mathit mathcal mathbb mathsf mathtt mathfrak text mbox hbox left right big Big bigg bigl bigr Bigl Bigr displaystyle textstyle scriptstyle limits nolimits ensuremath operatorname boldsymbol bm unboldmath boldmath normalfont protect relax noindent frac overline underline sqrt stackrel xspace nonumber string `
)

// texSymbols has what a command without argument stands for.
var texSymbols = func() map[string]string {
	m := map[string]string{" ": " ", "\n": " ", "\t": " ", "textquotesingle": "'", "textquotedbl": "\"", "textvisiblespace": " "}
	words := strings.Fields(texTable)
	for i := 0; i+1 < len(words); i += 2 {
		m[words[i]] = words[i+1]
	}
	return m
}()

// texTable has pairs of a command and its sign.
//
//go:embed texsymbols.txt
var texTable string
