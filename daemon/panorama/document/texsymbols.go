package document

import "strings"

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
const texTable = `
ss ß SS ẞ ae æ AE Æ oe œ OE Œ o ø O Ø aa å AA Å l ł L Ł i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ ij ĳ IJ Ĳ
& & % % $ $ # # _ _ { { } } @ @ | ‖
textendash – textemdash — textquoteright ’ textquoteleft ‘ textquotedblleft “ textquotedblright ” quotedblbase „ quotesinglbase ‚
textquotedblbase „ lq ‘ rq ’ glqq „ grqq “ flqq « frqq » guillemotleft « guillemotright » guillemetleft « guillemetright »
guilsinglleft ‹ guilsinglright › ldots … dots … cdots … textellipsis … dotsc … slash / textslash / TeX TeX LaTeX LaTeX
LaTeXe LaTeX2e BibTeX BibTeX copyright © textcopyright © textregistered ® texttrademark ™ S § textsection § P ¶ dag † ddag ‡
textasciitilde ~ textasciicircum ^ textunderscore _ textbackslash \ backslash \ textbar | textless < textgreater > less < greater >
lt < gt > textdollar $ textpercent % textampersand & textbraceleft { textbraceright } lbrace { rbrace } textbullet • bullet •
textdegree ° degree ° textmu µ micro µ texteuro € euro € EUR € pounds £ textsterling £ textyen ¥ textperiodcentered · textordfeminine ª
textordmasculine º textonehalf ½ textonequarter ¼ textthreequarters ¾ textonesuperior ¹ texttwosuperior ² textthreesuperior ³
textexclamdown ¡ textquestiondown ¿ textnumero № textacutedbl ˝ texttimes × textdiv ÷ textpm ± textminus − textsurd √
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ lambda λ mu μ nu ν
xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
textalpha α textbeta β textgamma γ textdelta δ textepsilon ε textlambda λ textpi π textsigma σ textomega ω textkappa κ textOmega Ω
infty ∞ times × div ÷ pm ± mp ∓ cdot · ast * star ⋆ circ ° prime ′ dagger † ddagger ‡ ell ℓ hbar ℏ partial ∂ nabla ∇ sum ∑ prod ∏
int ∫ surd √ emptyset ∅ varnothing ∅ aleph ℵ Re ℜ Im ℑ wp ℘ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ cup ∪ cap ∩
setminus ∖ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ oplus ⊕ otimes ⊗ perp ⊥ bot ⊥ top ⊤ parallel ∥ mid | vert | Vert ‖
leq ≤ le ≤ geq ≥ ge ≥ leqslant ≤ geqslant ≥ neq ≠ ne ≠ equiv ≡ approx ≈ cong ≅ sim ~ simeq ≃ propto ∝ ll ≪ gg ≫ lesssim ≲ gtrsim ≳
prec ≺ succ ≻ models ⊨ vdash ⊢ to → rightarrow → longrightarrow → leftarrow ← gets ← leftrightarrow ↔ uparrow ↑ downarrow ↓
Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ mapsto ↦ rightleftharpoons ⇌ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉
triangle △ square □ diamond ⋄ clubsuit ♣ spadesuit ♠ heartsuit ♥ diamondsuit ♦ sharp ♯ flat ♭ natural ♮ odot ⊙ astrosun ☉ checkmark ✓
`
