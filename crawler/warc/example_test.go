package warc_test

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"nightjar/crawler/warc"
)

// A Writer writes recorded answers, and a Reader reads them again.
func Example() {
	var file bytes.Buffer
	at := time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)
	header := http.Header{"Content-Type": {"text/html"}}
	if err := warc.NewWriter(&file).Response("https://example.org/", at, http.StatusOK, header, []byte("<p>Hello")); err != nil {
		fmt.Println(err)
		return
	}
	r := warc.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	for record, err := range r.All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		answer, err := record.Answer()
		fmt.Println(record.Type(), record.Target(), answer.Status, string(answer.Body), err)
	}
	fmt.Println("parts that could not be read:", len(r.Problems()))
	// Output:
	// response https://example.org/ 200 <p>Hello <nil>
	// parts that could not be read: 0
}
