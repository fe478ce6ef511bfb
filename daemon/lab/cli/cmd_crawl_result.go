package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/texts"
	"nightjar/daemon/lab/devtool"
)

// strategyResult holds the measures of a crawl, as JSON: an object of "strategies" in a benchmark.
type strategyResult struct {
	Name          string                `json:"name"`
	Fetched       int                   `json:"fetched"`
	Relevant      int                   `json:"relevant"`
	RelevantTotal *int                  `json:"relevant_total,omitempty"`
	Harvest       [][2]float64          `json:"harvest"`
	Recall        *float64              `json:"recall,omitempty"` // where the number of relevant pages is known
	Similarity    float64               `json:"avg_max_similarity"`
	Area          *float64              `json:"area,omitempty"`
	AreaVsOracle  *float64              `json:"area_vs_oracle,omitempty"`
	Low           *float64              `json:"low,omitempty"` // interval of the area; of one crawl the area itself
	High          *float64              `json:"high,omitempty"`
	Seconds       float64               `json:"seconds"`
	PeakRSS       int64                 `json:"peak_rss_bytes"`
	StopReason    string                `json:"stop_reason"`
	Outcomes      map[fetch.Outcome]int `json:"outcomes"`
	Finds         []crawlFind           `json:"finds"`
}

// print prints the measures and the finds of a crawl.
func (r *crawlRun) print(result crawler.Result, took time.Duration) error {
	out := strategyResult{
		Name: r.name, Fetched: result.Fetched, Relevant: r.score.Found(), Harvest: r.score.Harvest(),
		Similarity: r.score.Similarity(), Seconds: took.Seconds(), PeakRSS: devtool.PeakMemory(), StopReason: result.StopReason,
		Outcomes: result.Outcomes, Finds: append([]crawlFind{}, r.finds...),
	}
	if r.score.Relevant != nil {
		total, recall, area, share := r.score.Total, r.score.Recall(), r.score.Area(), r.score.AreaVsOracle()
		out.RelevantTotal, out.Recall, out.Area, out.AreaVsOracle = &total, &recall, &area, &share
		out.Low, out.High = &area, &area
	}
	if r.o.json {
		return json.NewEncoder(r.env.Stdout).Encode(out)
	}
	fmt.Fprintf(r.env.Stdout, "%s: %s fetched, %d relevant (%.1f %%)", r.name, texts.Plural(out.Fetched, "page"), out.Relevant, 100*float64(out.Relevant)/float64(max(1, out.Fetched)))
	if out.Recall != nil {
		fmt.Fprintf(r.env.Stdout, ", recall %.3f of %d, area %.3f, %.3f of the oracle's", *out.Recall, *out.RelevantTotal, *out.Area, *out.AreaVsOracle)
	}
	fmt.Fprintf(r.env.Stdout, ", average similarity %.3f, %.1f s; %s\n", out.Similarity, out.Seconds, out.StopReason)
	for _, f := range out.Finds {
		fmt.Fprintf(r.env.Stdout, "  %4d  %.3f  %s  %s\n", f.N, f.Similarity, f.URL, f.Title)
	}
	return nil
}
