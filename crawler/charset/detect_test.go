package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// TestDetectLatin encodes sentences of several languages in several encodings; without a header, each must decode to the
// original. A western text with a few accents stays western.
func TestDetectLatin(t *testing.T) {
	for _, c := range []struct {
		enc  *charmap.Charmap
		text string
	}{
		{charmap.Windows1252, "Café de la Paix"},
		{charmap.Windows1252, "It costs £5 or ¥900, about ½ of it."},
		{charmap.Windows1252, "20 °C ± 1 °C · § 3 · © 1997 Smith® × 2"},
		{charmap.Windows1252, "“Quotes” and ‘dashes’ – they’re everywhere…"},
		{charmap.Windows1252, "Herr Müller hat große Füße und hört Bäche rauschen."},
		{charmap.Windows1252, "Le père Noël a mangé des œufs à l'hôtel où ça sentait naïvement mauvais."},
		{charmap.Windows1252, "El niño comió piñas mañana, ¿verdad? ¡Qué lástima, señor Núñez!"},
		{charmap.Windows1252, "A situação não é fácil: os irmãos põem as maçãs no chão às três."},
		{charmap.Windows1252, "Það er ekki hægt að segja þér frá öllu í dag, sagði maðurinn."},
		{charmap.Windows1252, "På gården står åtta får, och älven går över ängarna."},
		{charmap.Windows1252, "Rødgrød med fløde på en blå tallerken, og så en æblekage."},
		{charmap.Windows1250, "Příliš žluťoučký kůň úpěl ďábelské ódy."},
		{charmap.ISO8859_2, "Příliš žluťoučký kůň úpěl ďábelské ódy."},
		{charmap.Windows1250, "Zażółć gęślą jaźń, rzekł wąż do żółwia."},
		{charmap.ISO8859_2, "Zażółć gęślą jaźń, rzekł wąż do żółwia."},
		{charmap.ISO8859_2, "Az őszi erdőben űzött őzek tűnnek el a fák között, és eső hullik."},
		{charmap.Windows1250, "Češka košarkašica živi u Šibeniku, a ćup je od đurđica."},
		{charmap.Windows1250, "Mâine dimineaţă băiatul va cumpăra două pâini şi o sticlă de apă."},
		{charmap.Windows1254, "Bugün hava çok güzel, ağaçların altında oturup şarkı söyledik, sonra ılık çayı içtik."},
		{charmap.Windows1256, "قال البائع إن أقدم كتاب عنده نسخ قبل ثلاثمئة سنة وإنه لن يبيعه أبدا لأحد من الناس"},
		{charmap.ISO8859_6, "قال البائع إن أقدم كتاب عنده نسخ قبل ثلاثمئة سنة وإنه لن يبيعه أبدا لأحد من الناس"},
	} {
		body, err := c.enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatalf("%q in %v: %v", c.text, c.enc, err)
		}
		if got := string(UTF8("", []byte(body))); got != c.text {
			t.Errorf("%v: %q; want %q", c.enc, got, c.text)
		}
	}
}

// TestWrongBytes: text of many languages with a wrong byte at any place, as an editor, a cut or a server's own words in another
// encoding leave it, is UTF-8 around that byte.
func TestWrongBytes(t *testing.T) {
	for _, text := range []string{
		"Herr Müller hat große Füße und hört Bäche rauschen.", "“Quotes” and ‘dashes’ – they’re everywhere…", russian,
		"Příliš žluťoučký kůň úpěl ďábelské ódy.", "قال البائع إن أقدم كتاب عنده", "アイスホッケーは氷の上の試合である。", "冰球是在冰上进行的一种运动。",
		"Ἐν ἀρχῇ ἦν ὁ λόγος, και αυτά είναι ελληνικά.", "ฮอกกี้น้ำแข็งเป็นกีฬา", "शिक्षा सब का अधिकार है", "한국 빙구 경기는 얼음 위에서 한다", "Bugün hava çok güzel, şarkı söyledik.",
	} {
		for _, wrong := range []string{"\xe9", "\xa0", "\x92", "\xff", "\xc3", "\xe2\x80"} {
			for at := range text {
				body := text[:at] + wrong + " " + text[at:]
				if got, want := string(UTF8("text/html", []byte(body))), text[:at]+"\uFFFD "+text[at:]; got != want {
					t.Fatalf("%q: %q", body, got)
				}
			}
		}
		cut := text[:len(text)-1]
		if last, size := utf8.DecodeLastRuneInString(text); size > 1 {
			if got, want := string(UTF8("", []byte(cut))), strings.TrimSuffix(text, string(last))+"\uFFFD"; got != want {
				t.Errorf("cut: %q, want %q", got, want)
			}
		}
	}
}
