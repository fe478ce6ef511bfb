package store

import (
	"encoding/binary"
	"hash/crc64"
	"strconv"
)

var sumTable = crc64.MakeTable(crc64.ECMA)

// sumOf returns the CRC-64 of fields, each after its length.
func sumOf(fields ...[]byte) int64 {
	var sum uint64
	for _, f := range fields {
		sum = crc64.Update(sum, sumTable, binary.BigEndian.AppendUint32(nil, uint32(len(f))))
		sum = crc64.Update(sum, sumTable, f)
	}
	return int64(sum)
}

// EventSum is the sum of an event's row: of what the browser said. The session that it belongs to may change.
func EventSum(id string, at int64, kind, page, body string, hash []byte, shown string) int64 {
	return sumOf([]byte(id), strconv.AppendInt(nil, at, 10), []byte(kind), []byte(page), []byte(body), hash, []byte(shown))
}

// FeedbackSum is the sum of a row of the history of marks.
func FeedbackSum(find int64, mark string, at int64, teaches bool) int64 {
	return sumOf(strconv.AppendInt(nil, find, 10), []byte(mark), strconv.AppendInt(nil, at, 10), strconv.AppendBool(nil, teaches))
}
