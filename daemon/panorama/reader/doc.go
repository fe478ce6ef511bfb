// Package reader reads the text of the PDFs that a person opened in a session.
//
// A browser's extension sees of a PDF only its title. The daemon fetches the document from the same address when the person
// marked it Useful, or when the settings want the text of every PDF: with the crawler's fetcher, so without cookies, only from
// public addresses, as politely as a crawl, and never from hosts on the never-record list. The text becomes a snapshot of the
// page load, from which all other parts have it.
//
//	Readings -> Runner -> fetch.Documents -> document.ReadWords -> PutReading
//
// Start with Runner.Run. Attempts that failed and may succeed later are stored with the time of the next one. The training of a
// topic calls Runner.Wait before it reads its sessions.
package reader
