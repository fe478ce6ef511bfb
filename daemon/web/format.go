package web

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/chart"
)

// funcs are the functions of templates.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":     s.asset,
		"typed":     func(words string) string { return terminal.On(s.DataDir, words) },
		"percent":   percent,
		"decimal":   decimal,
		"three":     three,
		"console":   operatorsHref,
		"short":     short,
		"eraseStep": func(step string) string { return stepWords[step] },
		"copyKind":  func(kind string) string { return copyWords[kind] },
		"bytes":     bytesText,
		"number":    number,
		"plural":    plural,
		"likely":    likely,
		"sentence":  sentence,
		"weblink":   weblink,
		"link":      linkTo,
		"outcome":   func(outcome string) string { return outcomeName(outcome, 0) },
		"rounded":   rounded,
		"fromTo":    chart.FromTo,
		"host":      weburl.Host,
		"shorten":   chart.Shorten,
		"when":      s.when,
		"clock":     s.clock,
		"iso":       func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"duration":  durationText,
		"add":       func(a, b int) int { return a + b },
		"join":      strings.Join,
		"spaced":    func(t string) string { return strings.Join(strings.Split(t, ""), " ") },
		"heat":      heat,
		"query":     url.QueryEscape,
		"nav":       nav,
		"startTick": func(topic int64, c startChoice) startTick { return startTick{topic, c} },
		"turns":     chart.WebTurns,
		"clusters":  usualClusters,
		"mapGo":     mapGo,

		"exploreTabs": exploreTabs,
		"took":        took,
		"exploreTurn": func(label, before, next string) turn { return turn{label, before, next} },
		"faultAt":     func(id string, f *faultView) faultIn { return faultIn{"fault-" + id, f} },
	}
}

func (s *Server) asset(name string) (string, error) { return s.assets.url(name) }

// noBreak stands between a number and its unit and inside a date, where no line may break.
const noBreak = "\u00a0"

// percent writes a share: 71 %, with a decimal below 1 % and above 99 %.
func percent(p float64) string {
	switch v := p * 100; {
	case math.IsNaN(v):
		return "–"
	case v > 0 && v < 0.95:
		return strconv.FormatFloat(math.Max(v, 0.1), 'f', 1, 64) + noBreak + "%"
	case v > 99 && v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64) + noBreak + "%"
	default:
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64) + noBreak + "%"
	}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// short writes a whole number without decimals, any other with three.
func short(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return number(int(v))
	}
	return three(v)
}

// heat is the style class of a probability, one of 21 steps: the content security policy allows no style attributes.
func heat(p float64) string {
	return "heat-" + strconv.Itoa(int(math.Round(math.Min(math.Max(p, 0), 1)*20)))
}

// bytesText writes a size in powers of 1000, as browsers and file managers do.
func bytesText(n int64) string {
	v, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	if i == 0 || v >= 99.5 {
		return fmt.Sprintf("%.0f", v) + noBreak + units[i]
	}
	return fmt.Sprintf("%.1f", v) + noBreak + units[i]
}

func number(n int) string { return chart.Number(n) }

func plural(n int, one, many string) string { return chart.Plural(n, one, many) }

// loose is a number before its unit, or a day or a month before what follows in a date.
var loose = regexp.MustCompile(`(\d) (%|[kMGT]?B\b|ms\b|s\b|min\b|h\b|(?:Jan|Febr)uary\b|March\b|April\b|May\b|June\b|July\b|August\b|(?:Septem|Octo|Novem|Decem)ber\b)( \d{4}\b)?`)

// whole keeps the dates and the numbers with a unit of a text from another package on one line.
func whole(t string) string {
	return loose.ReplaceAllStringFunc(t, func(found string) string { return strings.ReplaceAll(found, " ", noBreak) })
}

// sentence makes a sentence of the text of an error: a capital first, a full stop at the end.
func sentence(t string) string {
	t = strings.TrimSpace(t)
	if t == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(t)
	t = string(unicode.ToUpper(first)) + t[size:]
	if !strings.ContainsAny(t[len(t)-1:], ".!?…") {
		t += "."
	}
	return t
}

// addressOf is a path with those fields of its query that are not empty, in pairs of a name and a value.
func addressOf(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return withQuery(path, q)
}

func withQuery(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// idText writes an id, "" for 0.
func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// weblink returns address, or "" when it is not an http or https address.
func weblink(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return address
}

// printable removes control characters.
func printable(t string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, t)
}

// when writes a time in the machine's zone, without what today and this year make needless.
func (s *Server) when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	now := s.Now().Local()
	t = t.Local()
	switch {
	case t.Year() == now.Year() && t.YearDay() == now.YearDay():
		return "today," + noBreak + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("Mon\u00a02\u00a0Jan, 15:04")
	default:
		return t.Format("2\u00a0Jan\u00a02006, 15:04")
	}
}

func (s *Server) clock(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("15:04:05")
}

// durationText writes a duration in its two largest units.
func durationText(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d <= 0:
		return "under 1\u00a0s"
	case d < time.Minute:
		return fmt.Sprintf("%d\u00a0s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d\u00a0min %d\u00a0s", d/time.Minute, d%time.Minute/time.Second)
	default:
		return fmt.Sprintf("%d\u00a0h %d\u00a0min", d/time.Hour, d%time.Hour/time.Minute)
	}
}

// took writes a short duration in milliseconds, any other in seconds.
func took(d time.Duration) string {
	if d < time.Second {
		return number(int(d.Milliseconds())) + noBreak + "ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + noBreak + "s"
}
