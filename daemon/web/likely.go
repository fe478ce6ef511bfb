package web

import (
	"context"
	"fmt"
	"math"

	"nightjar/daemon/store"
	"nightjar/daemon/yield"
)

// likelyView says how many finds of a crawl are probably useful.
type likelyView struct{ yield.Number }

// Says is the number in a sentence.
func (v likelyView) Says() string {
	switch finds := plural(v.Finds, "find", "finds"); {
	case v.Open == 0:
		return fmt.Sprintf("%s, %s of them useful: you have marked all.", finds, number(v.Known))
	case v.Low == v.High:
		return fmt.Sprintf("%s, most likely %s of them useful.", finds, number(v.Low))
	default:
		return fmt.Sprintf("%s, about %s of them useful, most likely %s to %s.", finds, number(v.About()), number(v.Low), number(v.High))
	}
}

// About is the expected number, rounded, within the interval.
func (v likelyView) About() int {
	return min(max(int(math.Round(v.Expected)), v.Low), v.High)
}

// likely returns how many finds of each crawl are probably useful. It leaves out crawls with too few finds,
// and those whose finds are older than the judge.
func (s *Server) likely(ctx context.Context, crawls []int64) (map[int64]*likelyView, error) {
	finds, err := s.Store.JudgedFinds(ctx, crawls)
	if err != nil {
		return nil, err
	}
	of, others := map[int64][]store.JudgedFind{}, map[int64][]store.JudgedFind{} // by crawl, by topic
	for _, f := range finds {
		of[f.CrawlID] = append(of[f.CrawlID], f)
	}
	views := map[int64]*likelyView{}
	for crawl, list := range of {
		if len(list) < yield.Enough {
			continue
		}
		topic := list[0].TopicID
		if _, read := others[topic]; !read {
			if others[topic], err = s.Store.JudgedMarks(ctx, topic); err != nil {
				return nil, err
			}
		}
		views[crawl] = likelyOf(list, others[topic])
	}
	return views, nil
}

// likelyOf counts the finds of a crawl, given the marked ones of its topic; nil when one of them was not judged.
func likelyOf(finds, marked []store.JudgedFind) *likelyView {
	var open []float64
	var own, others []yield.Marked
	for _, f := range finds {
		switch m, known := markOf(f); {
		case f.Useful <= 0:
			return nil
		case known:
			own = append(own, m)
		default:
			open = append(open, f.Useful)
		}
	}
	for _, f := range marked {
		if m, known := markOf(f); known && f.Useful > 0 && f.CrawlID != finds[0].CrawlID {
			others = append(others, m)
		}
	}
	return &likelyView{yield.Of(open, own, others)}
}

// markOf is what the person said of a find; known is false for one without a mark and for one put off.
func markOf(f store.JudgedFind) (m yield.Marked, known bool) {
	m = yield.Marked{P: f.Useful, Useful: f.Mark == store.MarkUseful}
	return m, m.Useful || f.Mark == store.MarkNotUseful || f.Mark == store.MarkOffTopic
}
