package text

import (
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func allOf(s string) (words []string) {
	for w := range Separated(s) {
		words = append(words, string(w))
	}
	return words
}

func TestSeparated(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"Chinese", "冰球比赛,规则。", "冰球 球比 比赛 规则"},
		{"a single letter", "冰 球", "冰 球"},
		{"Japanese: a run ends where the script changes", "アイスホッケーの試合", "アイ イス スホ ホッ ッケ ケー の 試合"},
		{"a vowel made long in Hiragana", "らーめん", "らー ーめ めん"},
		{"a repeated character", "人々", "人々"},
		{"Thai, without its marks", "กีฬา", "กฬ ฬา"},
		{"Lao", "ກິລາ", "ກລ ລາ"},
		{"Khmer", "កីឡា", "កឡ"},
		{"Myanmar", "အားကစား", "အက ကစ"},
		{"Korean has spaces", "아이스하키 경기를", "아이스하키 경기를"},
		{"Latin letters beside Chinese", "NHL冰球league", "nhl 冰球 league"},
		{"digits end a run", "第1回", "第 回"},
		{"full width", "ＮＨＬ　Ｈｏｃｋｅｙ", "nhl hockey"},
		{"half width, voiced", "ﾎｯｹｰ ｹﾞｰﾑ ﾊﾟｯｸ", "ホッ ッケ ケー ゲー ーム パッ ック"},
		{"a voicing mark on what has no voice", "ｱﾞｲ", "アイ"},
		{"signs are no letters", "Hockey™ ½b", "hockey b"},
		{"supplementary characters", "𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂"},
		{"marks between", "冰\u200d球", "冰球"},
		{"nothing", "，。！ 42", ""},
	} {
		if got := strings.Join(allOf(tt.in), " "); got != tt.want {
			t.Errorf("%s: %q gives %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// oneByOne separates words of letters rune by rune.
func oneByOne(s string) iter.Seq2[[]byte, Span] {
	return func(yield func(word []byte, at Span) bool) {
		word := make([]byte, 0, maxWord*utf8.UTFMax)
		runes, at := 0, Span{}
		for i := 0; i < len(s); {
			r, size := rune(lowerASCII[s[i]]), 1
			part := r != 0
			if s[i] >= utf8.RuneSelf {
				r, size = utf8.DecodeRuneInString(s[i:])
				r, part = letter(r)
			}
			switch {
			case part && r != 0:
				if runes == 0 {
					at.From = i
				}
				if runes < maxWord {
					word = utf8.AppendRune(word, r)
				}
				runes++
				at.To = i + size
			case part && runes > 0:
				at.To = i + size
			case !part && runes > 0:
				if !yield(word, at) {
					return
				}
				word, runes = word[:0], 0
			}
			i += size
		}
		if runes > 0 {
			yield(word, at)
		}
	}
}

// TestSeparatedIsWrittenWithSpaces: without the scripts that lack spaces, and without letters of another width, both ways
// find the same words in the same places.
func TestSeparatedIsWrittenWithSpaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Split("a B é Ü ß İ ǅ ж Ж ς 가 나 \u0301 \u00ad \u200d 1 . - \xff \ufffd \ufeff ﬁ ™", " ")
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(90) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
			if rng.IntN(12) == 0 {
				b.WriteString(strings.Repeat("y", rng.IntN(80)))
			}
		}
		type word struct {
			s  string
			at Span
		}
		var got, want []word
		for w, at := range Separated(b.String()) {
			got = append(got, word{string(w), at})
		}
		for w, at := range oneByOne(b.String()) {
			want = append(want, word{string(w), at})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", b.String(), got, want)
		}
		s := b.String() + "冰球ﾎｯｹｰ らーめん，Ａ"
		got, want = nil, nil
		for w, at := range Written(s) {
			got = append(got, word{string(w), at})
		}
		for w, at := range oneByOne(s) {
			want = append(want, word{string(w), at})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("all scripts as with spaces, %q: %v, want %v", s, got, want)
		}
	}
}

// TestBigramsOfARun: n letters give n-1 words, each of them twice but for the ends, and the work grows with the text only.
func TestBigramsOfARun(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 20, 21, 64, 65, 5000} {
		var b strings.Builder
		run := make([]rune, n)
		for i := range run {
			run[i] = rune(0x4e00 + rng.IntN(3000))
			b.WriteRune(run[i])
		}
		words := allOf(b.String())
		if len(words) != max(1, n-1) {
			t.Fatalf("%d letters give %d words", n, len(words))
		}
		for i, w := range words {
			if w != string(run[i:min(i+2, n)]) {
				t.Fatalf("word %d of %q is %q", i, b.String(), w)
			}
		}
	}
}

func FuzzSeparated(f *testing.F) {
	for _, s := range []string{"冰球比赛 NHL", "ｹﾞｰﾑﾞ\xef\xbe", "らーめんー々", "กีฬา\u0e33", "한국어 \u1100\u1161", "\ufeff\uff9e", "ー", "ﾞﾟ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last, letters := Span{}, 0
		for w, at := range Separated(s) {
			n := utf8.RuneCount(w)
			if n == 0 || n > maxWord || !utf8.Valid(w) {
				t.Fatalf("word %q", w)
			}
			for _, r := range string(w) {
				if !unicode.IsLetter(r) {
					t.Fatalf("%q of %q is no letter", r, w)
				}
			}
			if at.From < last.From || at.To < last.To || at.To > len(s) || at.From >= at.To {
				t.Fatalf("span %v after %v", at, last)
			}
			last = at
			letters += n
		}
		if letters > 2*utf8.RuneCountInString(s) {
			t.Fatalf("%d letters in the words of %d characters", letters, utf8.RuneCountInString(s))
		}
		whole := allOf(s)
		if got, want := allOf(s+" "+s), append(slices.Clone(whole), whole...); !slices.Equal(got, want) {
			t.Fatalf("twice the text gives %q, want %q", got, want)
		}
		for _, w := range whole { // a word is its own word
			if again := allOf(w); len(again) != 1 || again[0] != w {
				t.Fatalf("the words of the word %q are %q", w, again)
			}
		}
	})
}
