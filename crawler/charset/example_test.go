package charset_test

import (
	"fmt"

	"nightjar/crawler/charset"
)

// The encoding is that of the header, else the one that the document declares, else what its bytes look like.
func ExampleUTF8() {
	fmt.Printf("%s\n", charset.UTF8("text/html; charset=windows-1251", []byte("\xcc\xe8\xf0")))
	fmt.Printf("%s\n", charset.UTF8("text/html", []byte("<meta charset=shift_jis>\x93\xfa\x96\x7b")))
	fmt.Printf("%s\n", charset.UTF8("", []byte("Zur\xfcck nach K\xf6ln")))
	// Output:
	// Мир
	// <meta charset=shift_jis>日本
	// Zurück nach Köln
}
