// Package wordnet finds WordNet on this computer, adds it to the data folder and downloads it, and reads definitions.
// What its files say is read by nightjar/model/wordnet.
//
//	places -> load -> Library.Net; Add, Get -> DATA/wordnet
//
// Start with New. Library.Net is nil without WordNet: then words are compared as they are written, and the rest of the
// program works. The first of these places that holds a whole WordNet is used:
//
//  1. the data folder, to which Add and Get write: what a person added comes first
//  2. the folder that WNSEARCHDIR names, as WordNet's own programs do
//  3. the folder wordnet of each folder that XDG_DATA_DIRS lists, which is /usr/local/share and /usr/share without it: Debian's
//     package wordnet-base puts it there
//
// What is added is a folder or a .tar.gz. Archives of other kinds are for the person to unpack.
//
// The places are looked at again while the program runs, so that WordNet may be added, replaced or removed at any time, also
// by another process.
package wordnet
