package protocol

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
)

// judged is an address that a rule made. Secret is the part of it that must go, "" for a harmless one; Redacted is what Redact
// makes of it.
type judged struct {
	URL      string `json:"url"`
	Secret   string `json:"secret"`
	Redacted string `json:"redacted"`
}

// TestJudgedVectors: judged.json has addresses made by rules, by a seeded generator. Of the harmless ones 99 of 100 stay as they are, and
// of the secrets 97 of 100 go. The extension's tests read the file, too, and agree on every one.
func TestJudgedVectors(t *testing.T) {
	const each = 16
	draw := maker{rand.New(rand.NewPCG(7, 8))}
	var rows []judged
	count, wrong := map[bool]int{}, map[bool]int{}
	for range each {
		for _, rule := range harmlessRules {
			rows = append(rows, judged{URL: "https://" + rule(draw)})
		}
		for _, rule := range secretRules {
			address, secret := rule(draw)
			rows = append(rows, judged{URL: "https://" + address + secret, Secret: secret})
		}
	}
	for i := range rows {
		r := &rows[i]
		r.Redacted = weburl.Redact(r.URL)
		harmless := r.Secret == ""
		count[harmless]++
		if harmless == (r.Redacted != r.URL) {
			wrong[harmless]++
			t.Logf("harmless %v: %s became %s", harmless, r.URL, r.Redacted)
		}
		if again := weburl.Redact(r.Redacted); again != r.Redacted || weburl.Secret(r.URL) != (r.Redacted != r.URL) {
			t.Errorf("%q becomes %q, and then %q; secret: %v", r.URL, r.Redacted, again, weburl.Secret(r.URL))
		}
	}
	t.Logf("harmless ones changed: %d of %d; secrets kept: %d of %d", wrong[true], count[true], wrong[false], count[false])
	if count[true] < 300 || count[false] < 300 || wrong[true]*100 > count[true] || wrong[false]*100 > 3*count[false] {
		t.Error("too many wrong ones, or too few addresses")
	}
	sameFile(t, "testdata/judged.json", rows)
}

// sameFile checks that a file has the rows as JSON, and writes it with -update.
func sameFile(t *testing.T, name string, rows any) {
	t.Helper()
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(rows); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != text.String() {
		t.Errorf("%s is not what Redact gives (%v): look at the differences, then run this test with -update", name, err)
	}
}

// maker draws the parts of addresses.
type maker struct{ *rand.Rand }

const (
	digit   = "0123456789"
	hex     = digit + "abcdef"
	small   = "abcdefghijklmnopqrstuvwxyz"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = capital + small
	base62  = letters + digit
	base64s = base62 + "-_"
)

// of draws a text of n characters.
func (m maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

// upTo draws one of between least and most characters.
func (m maker) upTo(alphabet string, least, most int) string {
	return m.of(alphabet, least+m.IntN(most-least+1))
}

// one draws one of the words of a text.
func (m maker) one(words string) string {
	all := strings.Fields(words)
	return all[m.IntN(len(all))]
}

func (m maker) year() string { return fmt.Sprint(1950 + m.IntN(90)) }

// word draws a word of one of several languages; title one with a capital, and name several of them.
func (m maker) word() string {
	return m.one(`harbour tide lecture compiler grammar photosynthesis hockey offside walk uniswap keynote summary thermodynamics
		Gezeiten Straßenbahn Donaudampfschifffahrt Vorlesung Quellensteuer marée laboratoire bibliothèque écluse corrección mareas
		universidad przedsiębiorstwo krzyżówka sjukhus järnväg rannikko työväenopisto prilivy zagotovka obshchestvo vremya shuidao
		gongcheng xuexiao densha kagaku toshokan hafnium krkonoše yayıncılık`)
}

func (m maker) title() string {
	w := m.word()
	return strings.ToUpper(w[:1]) + w[1:]
}

func (m maker) slug(separator string) string {
	parts := make([]string, 2+m.IntN(4))
	for i := range parts {
		if parts[i] = m.word(); m.IntN(5) == 0 {
			parts[i] = m.of(digit, 1+m.IntN(4))
		}
	}
	return strings.Join(parts, separator)
}

// hint draws the name of a parameter whose value may be a secret.
func (m maker) hint() string {
	return m.one(`token key code state session sid session_id sig signature auth oauth cookie pass pin otp ticket credential nonce invite magic
		verify assertion username mail key_signature`)
}

// names draws the name of a parameter whose value always is one.
func (m maker) names() string {
	return m.one(`password access_token refresh-token client_secret api_key X-Amz-Signature jwt PHPSESSID csrf pwd id_token accessKey`)
}

// announcing draws a folder of secrets.
func (m maker) announcing() string {
	return m.one(`reset verify invite magic-link confirm-email password/reset unsubscribe activate users/confirmation join account/recover`)
}

// hinting draws a folder that may be one.
func (m maker) hinting() string {
	return m.one(`session sessions token auth login otp survey s oauth verify share webhooks`)
}

// code draws the code of a course, a product, a station.
func (m maker) code() string {
	switch m.IntN(6) {
	case 0:
		return m.of(capital, 2+m.IntN(3)) + m.of(digit, 3+m.IntN(2))
	case 1:
		return m.of(capital, 3) + "-" + m.of(digit, 4) + m.one("A B C R2")
	case 2:
		return m.of(capital, 1) + m.of(digit, 2) + "." + m.of(digit, 1)
	case 3:
		return m.one("DE EUR FRA deu sv-SE USD JFK de_AT zh-Hant GB SEK")
	case 4:
		return m.of(digit, 2) + "." + m.of(digit, 3)
	}
	return m.of(capital+digit, 4+m.IntN(7))
}

// number draws the number of an article, a book, a magazine, a time.
func (m maker) number() string {
	switch m.IntN(4) {
	case 0:
		return "978-" + m.of(digit, 1) + "-" + m.of(digit, 4) + "-" + m.of(digit, 4) + "-" + m.of(digit, 1)
	case 1:
		return m.of(digit, 4) + "-" + m.of(digit, 3) + m.one("0 7 X")
	case 2:
		return m.year() + "-" + m.one("01 05 12") + "-" + m.one("03 17 28")
	}
	return m.upTo(digit, 1, 13)
}

// vehicle draws the number of a vehicle (ISO 3779).
func (m maker) vehicle() string {
	const allowed = digit + "ABCDEFGHJKLMNPRSTUVWXYZ"
	return m.one("WVW 1HG JN1 VF1 YV1") + m.of(allowed, 6) + m.of(digit+"X", 1) + m.of(allowed, 3) + m.of(digit, 4)
}

// version draws the name of a version of an interface.
func (m maker) version() string {
	name := "v" + m.upTo("123456789", 1, 2)
	if m.IntN(3) == 0 {
		name += "p" + m.of(digit, 1)
	}
	return name + m.one("alpha beta rc") + m.upTo("123456789", 1, 2)
}

// file draws the name of a lecture's file or of a source.
func (m maker) file() string {
	switch m.IntN(4) {
	case 0:
		return m.of(capital, 4) + m.of(digit, 4) + m.one("Lecture Notes Spec Solutions") + m.of(digit, 2) + m.one(".pdf .pptx .ps")
	case 1:
		return m.one("http2 x509 sqlite3 oauth2 utf8 pam2 base64") + m.one("client session verify recover_test") + m.one(".c .go .py .rs")
	case 2:
		return m.title() + m.one("Exam Lab HW") + m.of(digit, 1) + m.one("Fall Spring WS") + m.year() + ".pdf"
	}
	return m.slug("_") + ".html"
}

// mailID draws the id of a mail, as mail programs make them.
func (m maker) mailID() string {
	host := m.one("tides.example harbour.example.com mail.example.org")
	switch m.IntN(4) {
	case 0:
		return m.year() + m.of(digit, 10) + "." + m.of(digit, 4) + "-1-orla@" + host
	case 1:
		return m.one("7v 87") + m.of(small+digit, 8) + m.of(digit, 3) + ".fsf@" + host
	case 2:
		return "CA" + m.of(base62, 40) + "@" + host
	}
	return "cover.1" + m.of(digit, 9) + ".git.orla@" + host
}

// harmlessRules make addresses without a secret.
var harmlessRules = []func(m maker) string{
	func(m maker) string { return "uni.example/course.php?" + m.hint() + "=" + m.code() },
	func(m maker) string { return "uni.example/page?" + m.hint() + "=" + m.code() + "&year=" + m.year() },
	func(m maker) string { return "bib.example/entry?" + m.hint() + "=" + url.QueryEscape(m.word()) },
	func(m maker) string {
		return "bib.example/entry?" + m.hint() + "=" + url.QueryEscape(m.title()+m.year())
	},
	func(m maker) string { return "shop.example/list?" + m.hint() + "=" + m.number() },
	func(m maker) string { return "wiki.example/page?" + m.hint() + "=" + url.QueryEscape(m.slug("-")) },
	func(m maker) string {
		return "lib.example/works?" + m.hint() + "=" + url.QueryEscape(m.title()+", "+m.title())
	},
	func(m maker) string { return "src.example/?" + m.hint() + "=" + url.QueryEscape(m.file()) },
	func(m maker) string {
		return "music.example/songs?" + m.hint() + "=" + m.one("Gm C F%23 Bb 4/4 walk yes 12 open")
	},
	func(m maker) string {
		return "conf.example/" + m.hinting() + "/" + m.of(digit, 1) + m.of(capital, 1) + m.of(digit, 2)
	},
	func(m maker) string { return "conf.example/" + m.hinting() + "/" + m.title() + m.year() },
	func(m maker) string {
		return "conf.example/" + m.one("sessions survey auth s otp") + "?" + m.hint() + "=" + m.code()
	},
	func(m maker) string { return "conf.example/session?session=" + m.of(digit, 4) },
	func(m maker) string {
		return "map.example/?colors=" + m.of(hex, 3) + "ffffff000000ffffff999"
	},
	func(m maker) string {
		return "map.example/?cells=" + strings.Repeat(m.of(base62, 1), 9) + strings.Repeat(m.of(base62, 1), 12)
	},
	func(m maker) string {
		return "chem.example/?inchikey=" + m.of(capital, 14) + "-" + m.of(capital, 10) + "-N"
	},
	func(m maker) string {
		return "docs.example/" + m.hinting() + "/v" + m.of(digit, 1) + m.one("beta alpha rc") + m.of(digit, 1)
	},
	func(m maker) string { return "docs.example/" + m.hinting() + "/" + m.slug("-") },
	func(m maker) string { return "src.example/lib/" + m.hinting() + "/" + m.file() },
	func(m maker) string { return "uni.example/download/" + m.file() },
	func(m maker) string { return "uni.example/~venn/" + m.file() },
	func(m maker) string { return "lore.example/harbour/" + m.mailID() + "/" },
	func(m maker) string {
		return "mail.example/pipermail/harbour@tides.example/" + m.year() + "/msg" + m.of(digit, 5) + ".html"
	},
	func(m maker) string {
		return "mail.example/archives/harbour@tides.example/msg" + m.of(digit, 5) + ".html"
	},
	func(m maker) string {
		return "lists.example/archives/list/harbour@tides.example/thread/" + m.of(capital+"234567", 32) + "/"
	},
	func(m maker) string { return "mailarchive.example/arch/msg/ietf/" + m.of(base62, 27) },
	func(m maker) string { return "code.example/team/project/commit/" + m.of(hex, 40) },
	func(m maker) string { return "code.example/vdiff?from=" + m.of(hex, 40) + "&to=" + m.of(hex, 40) },
	func(m maker) string {
		return "code.example/gitweb/?p=" + m.one("tide quay git/harbour") + ".git;a=" + m.one("commit commitdiff tree shortlog tag") + ";h=" + m.of(hex, 40)
	},
	func(m maker) string {
		return "code.example/?p=tide&a=blob_plain&f=README&h=" + m.of(hex, 40) + "&hb=" + m.of(hex, 40)
	},
	func(m maker) string { return "cars.example/recall?" + m.hint() + "=" + m.vehicle() },
	func(m maker) string { return "docs.example/" + m.announcing() + "/" + m.version() },
	func(m maker) string { return "news.example/" + m.year() + "/05/12/" + url.PathEscape(m.slug("-")) },
	func(m maker) string {
		return "doi.example/10." + m.of(digit, 4) + "/" + m.of(digit, 7) + "." + m.of(digit, 7)
	},
	func(m maker) string { return "gene.example/view/ENSG" + m.of(digit, 11) },
	func(m maker) string {
		return "map.example/@" + m.of(digit, 2) + "." + m.of(digit, 4) + ",13.4,12z?pin=" + m.of(digit, 6)
	},
}

// jwt draws a JSON Web Token.
func (m maker) jwt() string {
	part := base64.RawURLEncoding.EncodeToString
	return part([]byte(`{"alg":"HS256"}`)) + "." + part([]byte(`{"sub":"`+m.of(digit, 10)+`"}`)) + "." + m.of(base64s, 43)
}

func (m maker) uuid() string {
	return m.of(hex, 8) + "-" + m.of(hex, 4) + "-4" + m.of(hex, 3) + "-a" + m.of(hex, 3) + "-" + m.of(hex, 12)
}

// long draws a token of one of the usual kinds.
func (m maker) long() string {
	switch m.IntN(7) {
	case 0:
		return m.of(hex, 2*(8+m.IntN(25)))
	case 1:
		return m.of(base64s, 22+m.IntN(22))
	case 2:
		return m.of(base62, 16+m.IntN(24))
	case 3:
		return m.uuid()
	case 4:
		return m.of(small+"012345", 24) // ASP.NET
	case 5:
		return m.of(digit+small[:22], 26) // PHP
	}
	return m.of(capital+"234567", 20+m.IntN(12))
}

// secretRules make addresses that end in a secret.
var secretRules = []func(m maker) (address, secret string){
	func(m maker) (string, string) { return "app.example/?" + m.hint() + "=", m.long() },
	func(m maker) (string, string) { return "app.example/page?x=1&" + m.hint() + "=", m.long() },
	func(m maker) (string, string) { return "app.example/cb?" + m.hint() + "=", m.jwt() },
	func(m maker) (string, string) {
		return "app.example/cb?scope=openid&code=", "4%2F0A" + m.of(base64s, 60)
	},
	func(m maker) (string, string) { return "app.example/?" + m.names() + "=", m.word() },
	func(m maker) (string, string) { return "app.example/?" + m.names() + "=", m.upTo(base62, 1, 40) },
	func(m maker) (string, string) { return "app.example/?PHPSESSID=", m.of(digit+small[:22], 26) },
	func(m maker) (string, string) { return "app.example/a;jsessionid=", m.of(hex, 32) },
	func(m maker) (string, string) { return "app.example/" + m.announcing() + "?code=", m.of(digit, 6) },
	func(m maker) (string, string) { return "app.example/login?otp=", m.of(digit, 6) },
	func(m maker) (string, string) { return "app.example/?" + m.hint() + "=", m.of(digit, 18) },
	func(m maker) (string, string) {
		return "app.example/?e=", url.QueryEscape(m.word()[:1] + "oe.doe" + m.of(digit, 2) + "@example.com")
	},
	func(m maker) (string, string) { return "app.example/" + m.announcing() + "/", m.long() },
	func(m maker) (string, string) { return "app.example/" + m.announcing() + "/", m.of(base62, 12) },
	func(m maker) (string, string) { return "app.example/" + m.announcing() + "/", m.of(hex, 16) },
	func(m maker) (string, string) { return "app.example/" + m.hinting() + "/", m.of(base62, 20) },
	func(m maker) (string, string) { return "app.example/s/", m.of(base62, 15) },
	func(m maker) (string, string) { return "app.example/d/", m.of(base64s, 33) },
	func(m maker) (string, string) { return "app.example/ical/", m.of(hex, 40) + ".ics" },
	func(m maker) (string, string) { return "app.example/unsubscribe/", "joe%40ice.test" },
	func(m maker) (string, string) { return "app.example/?h=", m.of(base62, 32) },
	func(m maker) (string, string) {
		return "app.example/list?a=" + m.one("view unsubscribe confirm") + "&h=", m.of(hex, 40)
	},
	func(m maker) (string, string) { return "app.example/?a=commit&" + m.hint() + "=", m.of(hex, 40) },
	func(m maker) (string, string) { return "app.example/?a=tree&" + m.names() + "=", m.of(hex, 40) },
	func(m maker) (string, string) { return "app.example/?" + m.hint() + "=", m.of(capital+digit, 17) },
	func(m maker) (string, string) { return "app.example/" + m.announcing() + "/v", m.of(small+digit, 11) },
	func(m maker) (string, string) { return "s3.example/f?X-Amz-Date=&X-Amz-Signature=", m.of(hex, 64) },
	func(m maker) (string, string) {
		return "blob.example/f?sp=r&sig=", url.QueryEscape(m.of(base62+"+/", 43) + "=")
	},
	func(m maker) (string, string) {
		return "app.example/?next=", url.QueryEscape("/cb?" + m.names() + "=" + m.word())
	},
	func(m maker) (string, string) { return "app.example/#/reset/", m.long() },
	func(m maker) (string, string) { return "discord.gg/", m.of(base62, 8) },
}
