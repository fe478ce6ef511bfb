// Package charset decodes documents of any encoding to UTF-8.
//
// UTF8 is all there is to call. The order in which it looks for the encoding is that of browsers (byte order mark, header,
// declaration), with a detector at the end for documents that declare none. Whatever the bytes are, the result is valid
// UTF-8.
package charset
