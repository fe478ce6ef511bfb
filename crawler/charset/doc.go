// Package charset decodes documents of any encoding to UTF-8.
//
// Call UTF8. Like a browser, it looks for the encoding in the byte order mark, the header and the declaration; for documents
// without any, it detects the encoding from the bytes. The result is always valid UTF-8.
package charset
