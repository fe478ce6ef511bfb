package fetch

import (
	"mime"
	"net/http"
	"strings"
)

// contentTypeOf is the content type of an answer: the last valid one in the header (MIME Sniffing standard, 5). unknown
// says that the type is absent or meaningless and must be detected from the document (7), unless nosniff forbids that.
func contentTypeOf(header http.Header) (contentType string, unknown bool) {
	for _, value := range header.Values("Content-Type") {
		for value := range strings.SplitSeq(value, ",") {
			if kind, _, _ := strings.Cut(value, ";"); strings.Contains(kind, "/") && strings.TrimSpace(kind) != "*/*" {
				contentType = strings.TrimSpace(value)
			}
		}
	}
	switch mediaType(contentType) {
	case "", "unknown/unknown", "application/unknown":
		nosniff := strings.EqualFold(strings.TrimSpace(header.Get("X-Content-Type-Options")), "nosniff")
		return contentType, !nosniff
	}
	return contentType, false
}

// mediaType is a content type without its parameters, in lower case.
func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil { // browsers ignore malformed parameters
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

func isHTML(contentType string) bool {
	kind := mediaType(contentType)
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// LooksHTML reports whether an answer is an HTML page by its header and the beginning of its body.
func LooksHTML(header http.Header, body []byte) bool {
	contentType, unknown := contentTypeOf(header)
	return isHTML(contentType) || unknown && notText(contentType, true, body) == ""
}

// notText says why a document cannot be HTML, or returns "": it looks like a picture, binary data or the like, or its type
// is unknown and it does not look like HTML.
func notText(contentType string, unknown bool, body []byte) string {
	head := body[:min(len(body), 512)]
	found, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch {
	case unknown:
		if found != "text/html" && found != "text/xml" {
			return "no content type, and it looks like " + found
		}
	case strings.HasPrefix(found, "text/"):
	case found != "application/octet-stream":
		return "declared as HTML, but it looks like " + found
	case isBinary(head) && !strings.Contains(strings.ToLower(contentType), "utf-16"):
		return "declared as HTML, but it looks like binary data"
	}
	return ""
}

// isBinary reports whether more than a twentieth of the bytes are control characters that text does not contain.
func isBinary(head []byte) bool {
	controls := 0
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", rune(b)) {
			controls++
		}
	}
	return controls*20 > len(head)
}
