package store

import (
	"nightjar/daemon/db"
)

// EraseReasons forgets a host's pages as the marked ones that finds of other hosts are like.
func EraseReasons(w *db.Work, host string) {
	liked := db.List(w, db.ScanText, `SELECT DISTINCT like_url FROM reasons WHERE like_url <> ''`)
	for _, url := range liked {
		if OnHost(url, host) {
			ForgetLiked(w, url)
		}
	}
}

// forgetLiked removes a page from the reasons of the finds that are like it.
func ForgetLiked(w *db.Work, url string) {
	w.Exec(`UPDATE reasons SET like_url = '', like_title = '', like_at = 0 WHERE like_url = ? AND like_url <> ''`, url)
}
