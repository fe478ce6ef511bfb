// Package archive stores the requests and answers of crawls in a folder of WARC 1.1 files (ISO 28500:2017).
//
// Open locks the folder, Begin starts a night, Write stores exchanges and is safe for concurrent use, Finish ends the
// night's last file. Read returns a stored answer, Prune deletes old nights, Erase deletes the records of some URLs.
//
// Files are named nightjar-YYYYMMDDHHMMSS-NNNNN.warc.gz: the time of the night's first record (UTC), and the number of the
// file in the night. The file being written has the suffix .open, which it loses when it is full or the night ends. Each
// file begins with a warcinfo record, and each record is a separate gzip member. An exchange becomes a response and a
// request record. A body that the night already has becomes a revisit record of the first one. Revisits refer to other
// files of the same night, but not to other nights, so that a night can be deleted alone. A 304 becomes a revisit record
// without an original: its date says which copy it means (see daemon/lab/recording). Records have a payload digest but no block
// digest: the gzip checksum detects damage, and a second hash of each page would cost time.
//
// # Durability
//
// One call of Write writes its records whole and at once, without a sync. A file is synced when it ends, while the next one
// is being written. The database is the source of truth, not the archive, and a sync for each page would cost more than the
// page. A killed process loses nothing; a power cut may lose the tail of the open file. Open cuts off an incomplete record
// and leaves everything before it. If the disk is full, Write fails and removes what it wrote; it can be retried.
//
// See package warc for why no library reads and writes the records.
package archive
