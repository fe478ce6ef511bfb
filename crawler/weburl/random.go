package weburl

import (
	"math"
	"regexp"
	"strings"
)

// telling is what stands before a text says about it: how much it takes for the text to be a secret.
type telling int

const (
	untold    telling = iota
	open              // behind one of openPaths or a single letter
	hinted            // behind one of hintPaths, or the value of one of hintNames
	announced         // behind one of secretPaths
)

// limits are the shortest random text that counts as a secret, in characters, and its least excess in bits. People type shorter
// texts, and name things by them.
var limits = [...]struct {
	length int
	excess float64
}{untold: {20, 11}, open: {16, 11}, hinted: {8, 9}, announced: {8, 2}}

var uuid = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// versionName is the form of the name of a version: v1alpha3, v1p1beta1.
var versionName = regexp.MustCompile(`^v[0-9]{1,3}(?:p[0-9]{1,2})?[a-z]{1,5}[0-9]{1,3}$`)

// random reports whether a decoded text contains a UUID, or a run of base64 characters, or a word of one, that looks random enough
// after what was told.
func random(text string, told telling) bool {
	if len(text) < limits[told].length || versionName.MatchString(text) {
		return false
	}
	if uuid.MatchString(text) {
		return true
	}
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !alphanumeric(r) && !joins(r) }) {
		if exceeds(run, told) {
			return true
		}
		for word := range strings.FieldsFuncSeq(run, joins) {
			if len(word) < len(run) && exceeds(word, min(told, open)) {
				return true
			}
		}
	}
	return false
}

// exceeds applies the limits to one run. One of small letters, or of capitals, is a word, or a sequence of letters that people know.
func exceeds(run string, told telling) bool {
	if len(run) < limits[told].length || strings.Trim(run, smalls+"-_") == "" || strings.Trim(run, capitals+"-_") == "" {
		return false
	}
	return excess(run) > limits[told].excess
}

const (
	smalls   = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// joins reports whether a character separates the words of a run.
func joins(r rune) bool { return r == '-' || r == '_' || r == '+' || r == '/' || r == '=' }

// excess is by how many bits a run is longer when it is encoded as words and numbers than as random characters of the smallest
// usual alphabet. It is far below 0 for words, numbers, codes and names, and grows with the length of random text.
func excess(run string) float64 {
	return float64(written(run))/2 - math.Log2(float64(alphabet(run)))*float64(len(run))
}

// Costs of written text in half bits. A piece is a word or a number that begins without a separator before it.
const (
	pieceCost = 10
	joinCost  = 9
	digitCost = 7
	yearGain  = 14 // for a number that is a year
	sameCost  = 4  // of a character that is there for the third time running
)

// written is the cost in half bits of a run as words, each in small letters, in capitals or with a capital first, and numbers.
func written(run string) int {
	cost, before := 0, byte('-')
	for i := range len(run) {
		k, row := kind(run[i]), 0
		goesOn := k == before || before == 'A' && k == 'a'
		if k == 'A' && i+1 < len(run) && kind(run[i+1]) == 'a' {
			goesOn = false // the P of HTMLParser
		}
		if goesOn && k != '0' && k != '-' {
			row = letter(run[i-1])
		}
		if !goesOn && k != '-' && before != '-' {
			cost += pieceCost
		}
		switch {
		case i > 1 && run[i] == run[i-1] && run[i] == run[i-2]:
			cost += sameCost
		case k == '-':
			cost += joinCost
		case k == '0':
			cost += digitCost
			if !goesOn && year(run[i:i+digits(run[i:])]) {
				cost -= yearGain
			}
		default:
			c := letterCosts[row][letter(run[i])-1]
			if cost += int(c - '0'); c >= 'a' {
				cost += '0' - 'a' + 10
			}
		}
		before = k
	}
	return cost
}

// kind is the kind of a character of a run: a digit, a small or a capital letter, or a separator.
func kind(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	case c >= 'A' && c <= 'Z':
		return 'A'
	}
	return '-'
}

// letter is the place of a letter in the alphabet, from 1.
func letter(c byte) int { return int(c|0x20) - 'a' + 1 }

// digits is the number of digits at the beginning of a text.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// alphabet is the size of the smallest usual alphabet that contains a run: numbers, hexadecimal, base32, base36, base62, base64.
func alphabet(run string) int {
	var has ['z' + 1]bool // kinds
	last := byte(0)       // letter
	for i := range len(run) {
		k := kind(run[i])
		has[k] = true
		if k == 'a' || k == 'A' {
			last = max(last, run[i]|0x20)
		}
	}
	size, letters := 0, 26
	if has['0'] && last <= 'f' && !(has['a'] && has['A']) {
		letters = 6
	}
	for _, k := range []struct {
		kind byte
		size int
	}{{'0', 10}, {'a', letters}, {'A', letters}, {'-', 2}} {
		if has[k.kind] {
			size += k.size
		}
	}
	return size
}

// letterCosts are the costs of letters in half bits, each a digit in base 36: in the first row of each letter at the beginning of a
// word, in those below of each letter after a, b, c, and so on. They were counted in the word lists of Debian 12 in eleven
// languages (wamerican-small three times, wngerman, wfrench, wspanish, witalian, wswedish, wdanish, wdutch, wportuguese, wpolish,
// and wukrainian in Latin letters) and in random syllables of Pinyin and of Japanese in Latin letters, without diacritics.
var letterCosts = [27]string{
	"888899aaadaa99a8f879babgeb", "da99ccad9db785cah677baehdd", "5ahg5ihh6fg7ge6ij7be7hikah",
	"7jbj7jj37h8cjj6jhafaajjidc", "6fgc3geg5gecec6fj99f8efjcc", "bca9ccbe9dc995ebg568ecdeeb",
	"6gif68fh5gh8hg5ij8ca7hhjeh", "6fff4gba7gg9e97gh69c7fggef", "4hgi4iii5fgcec6ijbca7gfkbj",
	"7c9a6b9fedc9a58cga78bbfhfb", "3ifc5fij8jdefc6hkgcf5hikjf", "5cih4geb6hd8gb7gja8a8ffjci",
	"5eeb5eed5gd7dc7fjhaa8eiiah", "5ahf5ghg5jge9e58jfbe7hijbi", "7f977c6e6fcfgb8ggf76aegice",
	"ebaaccadcdc885bag6799aagec", "5hhi5dhc6ih8if69k6bb8hjkej", "akkkckkkbkkhikdjjkhk0chkkk",
	"5ddb5fdf6icdb96eib8a8egjbc", "8e8g6ef77h9bbd99gg759efkdd", "6ggi4hgc5gfdgd7hj77a8gfkag",
	"8a999bae8bb797cai677fbdgfc", "4hih3iii5jgcid6ikccgcfjkcj", "3ggf5iib5jgahb8hjca89jikch",
	"7f8j6fic5jfcfh76iic69ciaci", "6cab8fbg8hb88699ja5a9ddhke", "4ffg4ig95hfced6gjhfe8gdkb8",
}
