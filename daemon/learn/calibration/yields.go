package calibration

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Yield is how many finds of a crawl are probably useful.
type Yield struct {
	Number
	Unjudged int // finds from before there was a judge; they count as hardly ever useful
}

// Yields says how many finds of crawls are useful, by the judge's probabilities and the person's marks on finds of their topics. It
// leaves out crawls without finds.
func Yields(ctx context.Context, d *db.DB, crawls []int64) (map[int64]Yield, error) {
	finds, err := JudgedFinds(ctx, d, crawls)
	if err != nil {
		return nil, err
	}
	of := map[int64][]JudgedFind{}
	for _, f := range finds {
		of[f.CrawlID] = append(of[f.CrawlID], f)
	}
	topics := map[int64]Calibration{}
	yields := map[int64]Yield{}
	for crawl, list := range of {
		topic := list[0].TopicID
		c, known := topics[topic]
		if !known {
			if c, err = ofTopic(ctx, d, topic); err != nil {
				return nil, err
			}
			topics[topic] = c
		}
		yields[crawl] = yieldOf(list, c)
	}
	return yields, nil
}

// TopicYield says how many of all finds of a topic are useful.
func TopicYield(ctx context.Context, d *db.DB, topic int64) (Yield, error) {
	c, err := ofTopic(ctx, d, topic)
	if err != nil {
		return Yield{}, err
	}
	finds, err := db.Query(ctx, d.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM finds WHERE topic_id = ? AND `+store.ShownFinds, topic)
	return yieldOf(finds, c), db.Wrap(err, "read how the finds of topic %d were judged", topic)
}

// ofTopic is learned from the marks on a topic's finds.
func ofTopic(ctx context.Context, d *db.DB, topic int64) (Calibration, error) {
	finds, err := JudgedMarks(ctx, d, topic)
	var marks []Mark
	for _, f := range finds {
		if m, said := f.said(); said && f.Useful > 0 {
			marks = append(marks, m)
		}
	}
	return Learn(marks), err
}

func yieldOf(finds []JudgedFind, c Calibration) Yield {
	var y Yield
	var marked []Mark
	var open []float64
	for _, f := range finds {
		if f.Useful <= 0 {
			y.Unjudged++
		}
		if m, said := f.said(); said {
			marked = append(marked, m)
		} else {
			open = append(open, f.Useful)
		}
	}
	y.Number = c.Count(marked, open)
	return y
}

// JudgedFind is the probability that the judge gave a find, 0 for one from before there was a judge, and the person's mark.
type JudgedFind struct {
	CrawlID int64
	TopicID int64
	Useful  float64
	Mark    string
}

// said is what the person said of a find; known is false for one without a mark and for one put off.
func (f JudgedFind) said() (m Mark, known bool) {
	m = Mark{P: f.Useful, Useful: f.Mark == store.MarkUseful}
	return m, m.Useful || f.Mark == store.MarkNotUseful || f.Mark == store.MarkOffTopic
}

// JudgedFinds lists the finds of some crawls, without those of refused sites.
func JudgedFinds(ctx context.Context, d *db.DB, crawls []int64) ([]JudgedFind, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM json_each(?) CROSS JOIN finds ON crawl_id = value
		WHERE `+store.ShownFinds, db.JSONList(crawls))
	return all, db.Wrap(err, "read how finds were judged")
}

// maxJudgedMarks bounds JudgedMarks.
const maxJudgedMarks = 300

// JudgedMarks lists the finds of a topic that the person called useful, not useful or of another topic, those of the newest
// crawls, at most 300.
func JudgedMarks(ctx context.Context, d *db.DB, topic int64) ([]JudgedFind, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[JudgedFind], `SELECT crawl_id, topic_id, useful, mark FROM finds
		WHERE list IN ('`+store.MarkUseful+`', '`+store.MarkNotUseful+`', '`+store.MarkOffTopic+`') AND topic_id = ? ORDER BY crawl_id DESC, id DESC LIMIT ?`,
		topic, maxJudgedMarks)
	return all, db.Wrap(err, "read the marked finds of a topic")
}
