package store

import (
	"context"
	"fmt"
)

// LinkPage is a page that links or is linked to.
type LinkPage struct {
	ID      int64
	URL     string // after redirects, where they are known
	Title   string // "" when it is not known
	Sources int    // different pages that link to it
}

// linkTitle is the title of the page with the address known.url.
const linkTitle = `coalesce((SELECT title FROM search_entries WHERE url = known.url),
	(SELECT title FROM pages WHERE url = known.url), (SELECT title FROM fetches WHERE final_url = known.url ORDER BY id DESC LIMIT 1), '')`

const selectLinkPage = `SELECT known.id, known.url, ` + linkTitle + `,
	(SELECT count(DISTINCT src) FROM link WHERE dst = known.id AND src <> dst) FROM link_page known `

func scanLinkPage(row scanner) (p LinkPage, err error) {
	return p, row.Scan(&p.ID, &p.URL, &p.Title, &p.Sources)
}

// LinkPage returns one page, or ErrNotFound.
func (s *Store) LinkPage(ctx context.Context, id int64) (LinkPage, error) {
	return found(scanLinkPage(s.r.QueryRowContext(ctx, selectLinkPage+`WHERE known.id = ?`, id)))
}

// LinkPageByURL returns the page with an address, or ErrNotFound. An address that is known to lead to another one stands for
// that.
func (s *Store) LinkPageByURL(ctx context.Context, url string) (LinkPage, error) {
	end, err := linkEnd(ctx, s.r, url)
	if err != nil {
		return LinkPage{}, fmt.Errorf("look where %s leads: %w", url, err)
	}
	return found(scanLinkPage(s.r.QueryRowContext(ctx, selectLinkPage+`WHERE known.url = ?`, end)))
}

// SaidLink is a link to a page with its words.
type SaidLink struct {
	SourceURL   string
	SourceTitle string   // "" when it is not known
	Pos         int      // bytes of the source's content in UTF-8 before the link's tag
	Words       []string // in alphabetical order
	Hash        []byte   // of the source's content that the link was read from, which may be gone
}

// maxWeighed is how many links to a page LinksOf chooses from. Some home pages have tens of thousands, which would take a second.
const maxWeighed = 2000

// LinksOf returns links to a page, at most n of the first maxWeighed by source, those with the most different words first, then
// by source and place; and how many links there are.
func (s *Store) LinksOf(ctx context.Context, dst int64, n int) (all []SaidLink, total int, err error) {
	err = s.r.QueryRowContext(ctx, `SELECT count(*) FROM link WHERE dst = ?1 AND src <> ?1`, dst).Scan(&total)
	if err == nil {
		all, err = query(ctx, s.r, func(row scanner) (l SaidLink, err error) {
			return l, row.Scan(&l.SourceURL, &l.SourceTitle, &l.Pos, &l.Hash, jsonOf{&l.Words})
		}, `WITH best AS (SELECT l.id, l.src, l.pos, (SELECT count(*) FROM link_word w WHERE w.link = l.id) AS n
				FROM (SELECT id, src, pos FROM link WHERE dst = ?1 AND src <> ?1 ORDER BY src LIMIT ?3) l
				ORDER BY n DESC, l.src, l.pos, l.id LIMIT ?2)
			SELECT known.url, `+linkTitle+`, best.pos, known.hash,
				(SELECT json_group_array(word) FROM (SELECT word.word FROM link_word w JOIN word ON word.id = w.word
					WHERE w.link = best.id ORDER BY word.word))
			FROM best JOIN link_page known ON known.id = best.src ORDER BY best.n DESC, best.src, best.pos, best.id`, dst, n, maxWeighed)
	}
	return all, total, wrap(err, "list the links to a page")
}
