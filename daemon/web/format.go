package web

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
	"nightjar/daemon/web/chart"
)

// funcs are the functions of templates.
func (s *Server) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":    s.asset,
		"percent":  percent,
		"decimal":  decimal,
		"short":    short,
		"bytes":    bytesText,
		"number":   number,
		"plural":   plural,
		"likely":   likely,
		"sentence": sentence,
		"weblink":  weblink,
		"host":     weburl.Host,
		"shorten":  chart.Shorten,
		"when":     s.when,
		"clock":    s.clock,
		"iso":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"duration": durationText,
		"add":      func(a, b int) int { return a + b },
		"join":     strings.Join,
		"spaced":   func(t string) string { return strings.Join(strings.Split(t, ""), " ") },
		"heat":     heat,
		"query":    url.QueryEscape,
		"nav":      nav,
		"wrong":    func(name, text string) fieldProblem { return fieldProblem{name, text} },
		"int":      func(v float64) int { return int(v) },
	}
}

func (s *Server) asset(name string) (string, error) { return s.assets.url(name) }

// percent writes a share: 71 %, with a decimal below 1 % and above 99 %.
func percent(p float64) string {
	switch v := p * 100; {
	case math.IsNaN(v):
		return "–"
	case v > 0 && v < 0.95:
		return strconv.FormatFloat(math.Max(v, 0.1), 'f', 1, 64) + " %"
	case v > 99 && v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64) + " %"
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
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}

// number groups digits by thousands with a thin space.
func number(n int) string {
	t := strconv.Itoa(n)
	for i := len(t) - 3; i > 0 && t[i-1] != '-'; i -= 3 {
		t = t[:i] + "\u202f" + t[i:]
	}
	return t
}

// plural writes "1 page", "2 pages".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
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
		return "today, " + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("Mon 2 Jan, 15:04")
	default:
		return t.Format("2 Jan 2006, 15:04")
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
		return "under 1 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	default:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	}
}
