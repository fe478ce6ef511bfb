// Package archive keeps what went over the wire during a crawl: a folder of WARC 1.1 files (ISO 28500:2017), each record
// a gzip member of its own.
//
// Open takes the folder, Begin starts a night, Write keeps exchanges and may be called by many at once, Finish ends the
// night's last file. Read gets an answer back, Prune deletes old nights, Erase what must be forgotten.
//
// Files are named nightjar-YYYYMMDDHHMMSS-NNNNN.warc.gz after the night's first record (UTC) and their number in it. The
// one that is written to has the suffix .open; it loses it when it is full or the night ends. Each begins with a warcinfo
// record. An exchange becomes a response and a request record. A body that the night kept before becomes a revisit record
// of the first, across the files of the night but not across nights, so that nights can be deleted one by one. A 304
// becomes a revisit record without an original: which copy it stands for, its date tells (see fetch.Replay). Bodies have a
// digest; blocks have none, since gzip's own checksum finds damage and a second pass over each page would cost time.
//
// # What survives
//
// Records are written whole, those of one call with one write, but not synced: a file is synced when it ends, beside the
// writing of the next. The archive is no source of truth, the database is, and a sync for each page would cost more than
// the page. After a kill nothing is lost; after a power cut the tail of the open file may be. Open cuts an unfinished
// record off and never touches what is before it. When the disk is full, Write fails, takes back what it wrote in part,
// and may be tried again.
//
// # Why the records are written and read here
//
// Readers of WARC take a record as it stands or end there. Ours goes on behind whatever is damaged, bounds what a record
// may claim, and gives positions to come back to, see package warc. The writer of the well-kept Go library, nlnwa/gowarc
// v2, compresses inside its lock and syncs the file after each record, leaves half a record when the disk is full, names
// files without their night, and draws in a module of Prometheus; a record's few named fields are the least of the work.
package archive
