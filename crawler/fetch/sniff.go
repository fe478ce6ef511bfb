package fetch

import (
	"mime"
	"net/http"
	"strings"
)

// contentTypeOf is the content type of an answer: the last of the header's values that is one (MIME Sniffing standard,
// 5). unknown says that the document itself is to tell, as there is none or one that says nothing (7), which nosniff
// forbids.
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

// mediaType is what stands before the parameters of a content type, in small letters.
func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil { // parameters that do not parse; browsers look at what is before them
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

// isHTML reports whether a content type is one that is read.
func isHTML(contentType string) bool {
	kind := mediaType(contentType)
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// notText says why a document is none of HTML: a picture, an archive or the like that is called so, or one of unknown
// type that does not look like HTML.
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
		return "called HTML, but it looks like " + found
	case isBinary(head) && !strings.Contains(strings.ToLower(contentType), "utf-16"):
		return "called HTML, but it looks like binary data"
	}
	return ""
}

// isBinary reports whether more than a twentieth of the bytes are such as no text holds.
func isBinary(head []byte) bool {
	controls := 0
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune("\t\n\r\f\x1b", rune(b)) {
			controls++
		}
	}
	return controls*20 > len(head)
}
