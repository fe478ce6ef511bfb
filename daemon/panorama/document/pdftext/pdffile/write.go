package pdffile

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// writer writes objects under new numbers without gaps.
type writer struct {
	bytes.Buffer
	numbers map[int]int
}

// Bytes returns a plain file with the objects. It has no table for objects of newer versions than 1.4, so that every reader
// can read it.
func (f *File) Bytes() []byte {
	w := &writer{numbers: map[int]int{}}
	for i, n := range f.order {
		w.numbers[n] = i + 1
	}
	w.WriteString("%PDF-1.7\n")
	at := make([]int, 0, len(f.order))
	for i, n := range f.order {
		at = append(at, w.Len())
		fmt.Fprintf(w, "%d 0 obj\n", i+1)
		w.object(f, f.objects[n])
		w.WriteString("\nendobj\n")
	}
	start := w.Len()
	fmt.Fprintf(w, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, p := range at {
		fmt.Fprintf(w, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(w, "trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, w.numbers[f.root], start)
	return w.Buffer.Bytes()
}

func (w *writer) object(f *File, o object) {
	head, isDict := o.value.(dict)
	if !o.stream || !isDict {
		w.value(o.value)
		return
	}
	head = maps.Clone(head)
	data := o.data
	if o.cut || f.foreign(head) { // a reader of compressed streams may insist on their ends
		if plain, ok := f.plain(head, o); ok {
			data = plain
			delete(head, "Filter")
			delete(head, "DecodeParms")
		}
	}
	head["Length"] = raw(strconv.Itoa(len(data)))
	w.value(head)
	w.WriteString("\nstream\n")
	w.Write(data)
	w.WriteString("\nendstream")
}

func (w *writer) value(v any) {
	switch v := v.(type) {
	case name:
		w.WriteString("/" + string(v))
	case raw:
		w.WriteString(string(v))
	case text:
		w.WriteString("<" + hex.EncodeToString([]byte(v)) + ">")
	case ref:
		if n := w.numbers[v.number]; n > 0 {
			fmt.Fprintf(w, "%d 0 R", n)
			return
		}
		w.WriteString("null")
	case array:
		w.WriteString("[")
		for _, one := range v {
			w.value(one)
			w.WriteString(" ")
		}
		w.WriteString("]")
	case dict:
		w.WriteString("<<")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.WriteString("/" + string(key) + " ")
			w.value(v[key])
			w.WriteString(" ")
		}
		w.WriteString(">>")
	default:
		w.WriteString("null")
	}
}
