package charset

import (
	"bytes"

	"golang.org/x/text/encoding/korean"
)

// iso2022kr decodes ISO-2022-KR (RFC 1557): after SO, pairs of seven-bit bytes are characters of KS X 1001, as in
// EUC-KR without the high bits; after SI, and on a new line, bytes are ASCII. The Encoding standard refuses it because a
// script could hide in it; here no script is run.
func iso2022kr(body []byte) ([]byte, error) {
	body = bytes.ReplaceAll(body, []byte("\x1b$)C"), nil)
	euc := make([]byte, 0, len(body))
	var high byte
	for _, b := range body {
		switch {
		case b == 0x0e:
			high = 0x80
		case b == 0x0f || b == '\n':
			high = 0
		}
		switch {
		case b == 0x0e || b == 0x0f:
		case b <= ' ' || b >= 0x7f:
			euc = append(euc, b)
		default:
			euc = append(euc, b|high)
		}
	}
	return korean.EUCKR.NewDecoder().Bytes(euc)
}

// johab decodes Johab (KS X 1001, annex 3): a Korean syllable is spelled by five bits each for its first consonant,
// vowel and last consonant; signs and Chinese characters are those of EUC-KR in another order.
func johab(body []byte) ([]byte, error) {
	var out, pair []byte
	for i := 0; i < len(body); i++ {
		b := body[i]
		if b < 0x80 || i+1 == len(body) {
			out = append(out, b)
			continue
		}
		i++
		if r := johabSyllable(uint16(b)<<8 | uint16(body[i])); r != 0 {
			out = append(out, string(r)...)
			continue
		}
		pair = johabSign(pair[:0], int(b), int(body[i]))
		decoded, err := korean.EUCKR.NewDecoder().Bytes(pair)
		if err != nil {
			return nil, err
		}
		out = append(out, decoded...)
	}
	return out, nil
}

// The letters of Johab's five bits: places in the order of Unicode's syllables, fill for none, void for no letter.
const (
	fill = -1
	void = -2
)

var (
	johabFirst = [32]int{void, fill, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
		void, void, void, void, void, void, void, void, void, void, void}
	johabVowel = [32]int{void, void, fill, 0, 1, 2, 3, 4, void, void, 5, 6, 7, 8, 9, 10, void, void, 11, 12, 13, 14, 15, 16,
		void, void, 17, 18, 19, 20, void, void}
	johabLast = [32]int{void, fill, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, void, 17, 18, 19, 20, 21, 22, 23,
		24, 25, 26, 27, void, void}
	// Single letters are in Unicode's block of compatibility letters.
	firstAlone = []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
	vowelAlone = []rune("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")
	lastAlone  = []rune("\x00ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
)

// johabSyllable is the syllable or single letter of a code, 0 when the code is neither.
func johabSyllable(code uint16) rune {
	first, vowel, last := johabFirst[code>>10&31], johabVowel[code>>5&31], johabLast[code&31]
	switch {
	case first == void || vowel == void || last == void:
	case first >= 0 && vowel >= 0:
		return 0xac00 + rune((first*21+vowel)*28+max(last, 0))
	case first >= 0 && last == fill:
		return firstAlone[first]
	case first == fill && vowel >= 0 && last == fill:
		return vowelAlone[vowel]
	case first == fill && vowel == fill && last >= 0:
		return lastAlone[last]
	}
	return 0
}

// johabSign appends the EUC-KR bytes of a sign or Chinese character: two rows of 94 for each first byte.
func johabSign(euc []byte, b, c int) []byte {
	row := 2 * (b - 0xd9)
	if b >= 0xe0 {
		row = 2*(b-0xe0) + 41
	}
	column := c - 0x31
	if c >= 0x91 {
		column = c - 0x43
	}
	if row < 0 || column < 0 {
		return append(euc, 0xff) // no character
	}
	return append(euc, byte(0xa1+row+column/94), byte(0xa1+column%94))
}
