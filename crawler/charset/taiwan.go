package charset

import (
	"slices"

	"golang.org/x/text/encoding/traditionalchinese"
)

// eucTW decodes EUC-TW: planes 1 and 2 of CNS 11643, which have the characters of Big5 in a partly different order.
// Other planes become U+FFFD.
func eucTW(body []byte) ([]byte, error) {
	var big5 []byte
	for i := 0; i < len(body); i++ {
		b := body[i]
		plane := 0
		switch {
		case b < 0x80:
			big5 = append(big5, b)
			continue
		case b == 0x8e && i+3 < len(body):
			plane = int(body[i+1]) - 0xa1
			i += 2
		}
		if i+1 == len(body) {
			break
		}
		row, column := int(body[i])-0xa1, int(body[i+1])-0xa1
		i++
		big5 = appendBig5(big5, plane, row, column)
	}
	return traditionalchinese.Big5.NewDecoder().Bytes(big5)
}

// appendBig5 appends a character of CNS 11643 in Big5.
func appendBig5(big5 []byte, plane, row, column int) []byte {
	const noCharacter = 0xff
	if plane < 0 || plane > 1 || row < 0 || row > 93 || column < 0 || column > 93 {
		return append(big5, noCharacter)
	}
	index := plane*94*94 + row*94 + column
	run, exact := slices.BinarySearchFunc(cnsRuns, index, func(r [2]int, i int) int { return r[0] - i })
	if !exact {
		run--
	}
	if cnsRuns[run][1] < 0 {
		return append(big5, noCharacter)
	}
	at := cnsRuns[run][1] + index - cnsRuns[run][0]
	low := at%157 + 0x40
	if low > 0x7e {
		low += 0x22
	}
	return append(big5, byte(0xa1+at/157), byte(low))
}

// cnsRuns are the starts of runs in which CNS 11643 and Big5 have the same order: the index in the first (94 characters a
// row, 94 rows a plane), and that of the same character in the second (157 a row, from 0xA140), -1 if there is none. They
// were derived from GNU libc's iconv.
var cnsRuns = [][2]int{
	{0, 0}, {21, 23}, {23, -1}, {24, 22}, {25, -1}, {29, 29}, {73, 74}, {74, 73}, {75, 75}, {127, 128}, {128, 127},
	{129, 129}, {148, 149}, {149, 148}, {150, 150}, {154, -1}, {155, 21}, {156, 158}, {158, -1}, {160, 160},
	{234, -1}, {282, 234}, {456, -1}, {3290, 471}, {4702, 1884}, {5126, 1883}, {5127, 2308}, {7003, 4571},
	{7004, 4184}, {7391, 4572}, {7916, 5286}, {7917, 5097}, {8106, 5287}, {8190, 5517}, {8191, 5371}, {8245, 5426},
	{8246, 5425}, {8247, 5427}, {8337, 5518}, {8691, -1}, {8836, 6280}, {8846, 6291}, {8879, 6372}, {8880, 6324},
	{8928, 6373}, {8974, 6586}, {8975, 6419}, {9142, 6587}, {10982, 9074}, {10983, 8428}, {11091, 8537},
	{11628, 8427}, {11629, 9075}, {11729, 8536}, {11730, 9175}, {12129, 9575}, {13766, 11761}, {13767, 11212},
	{13913, 11899}, {13914, 11358}, {14201, 12508}, {14202, 11645}, {14318, 11762}, {14455, 11900}, {14559, 12425},
	{14560, 12004}, {14782, 12227}, {14980, 12426}, {15062, 12509}, {15148, 12226}, {15149, 12595}, {15157, 12604},
	{15310, 12758}, {15366, 13114}, {15367, 12814}, {15480, 12603}, {15481, 12927}, {15623, 12757}, {15624, 13069},
	{15669, 13115}, {15740, 13380}, {15741, 13186}, {15935, 13381}, {16425, 13914}, {16426, 13871}, {16469, 13915},
	{16470, 13917}, {16481, 13916}, {16482, 13928}, {16486, -1},
}
