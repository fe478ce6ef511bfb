// Package backup writes a data folder to one file, checks such a file, and puts it in place of a data folder.
//
// A backup is a zip file: manifest.json names every other file with its size and SHA-256, nightjar.db is the database, and
// archive/ has the WARC files if they were wanted. A database file by itself is read, too.
//
// Write makes a backup. Check checks one and unpacks it beside the data that it is to replace; nothing is replaced by that.
// After Confirm, Apply, which runs before a database is opened, replaces the data by what was staged and keeps the old files in a folder
// of their own. It only renames files and goes on where it was interrupted, so that the process may be killed at any
// moment.
package backup
