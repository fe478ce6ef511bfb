// Package bookmarks makes a session of links that a person kept: bookmarks, a reading list, a bibliography.
//
// Read lists the links of a file and the folders and tags that they are in. Nothing is fetched. The person chooses from the list,
// and says which pages are useful. Gather then fetches these pages and some that they link to, and Events writes a session of them
// in the format of session files, as if the person had opened each bookmark and followed the links between them. Maker does both
// in the background and imports the session.
//
//	file -> Read -> List -> (the person chooses) -> Gather -> Events -> import
//
// The file is not kept.
package bookmarks
