package frame

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

// funcs are the functions that every template has.
func (f *Frame) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":    f.options.Asset,
		"typed":    f.Typed,
		"percent":  Percent,
		"decimal":  Decimal,
		"short":    Short,
		"bytes":    Bytes,
		"number":   chart.Number,
		"plural":   chart.Plural,
		"sentence": Sentence,
		"weblink":  Weblink,
		"link":     LinkTo,
		"fromTo":   chart.FromTo,
		"host":     weburl.Host,
		"shorten":  chart.Shorten,
		"when":     f.When,
		"clock":    f.clock,
		"iso":      func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"duration": Duration,
		"add":      func(a, b int) int { return a + b },
		"join":     strings.Join,
		"query":    url.QueryEscape,
		"three":    Three,
		"heat":     heat,
		"nav":      nav,
	}
}

// Typed is what a person types in a terminal to run words of the command line.
func (f *Frame) Typed(words string) string { return terminal.On(f.options.DataDir, words) }

// NoBreak stands between a number and its unit and inside a date, where no line may break.
const NoBreak = "\u00a0"

// Percent writes a share: 71 %, with a decimal below 1 % and above 99 %.
func Percent(p float64) string {
	switch v := p * 100; {
	case math.IsNaN(v):
		return "–"
	case v > 0 && v < 0.95:
		return strconv.FormatFloat(math.Max(v, 0.1), 'f', 1, 64) + NoBreak + "%"
	case v > 99 && v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64) + NoBreak + "%"
	default:
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64) + NoBreak + "%"
	}
}

func Decimal(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// Short writes a whole number without decimals, any other with three.
func Short(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e9 {
		return chart.Number(int(v))
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// Bytes writes a size in powers of 1000, as browsers and file managers do.
func Bytes(n int64) string {
	v, units := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for v >= 999.5 && i < len(units)-1 {
		v /= 1000
		i++
	}
	if i == 0 || v >= 99.5 {
		return fmt.Sprintf("%.0f", v) + NoBreak + units[i]
	}
	return fmt.Sprintf("%.1f", v) + NoBreak + units[i]
}

// loose is a number before its unit, or a day or a month before what follows in a date.
var loose = regexp.MustCompile(`(\d) (%|[kMGT]?B\b|ms\b|s\b|min\b|h\b|(?:Jan|Febr)uary\b|March\b|April\b|May\b|June\b|July\b|August\b|(?:Septem|Octo|Novem|Decem)ber\b)( \d{4}\b)?`)

// Whole keeps the dates and the numbers with a unit of a text from another package on one line.
func Whole(t string) string {
	return loose.ReplaceAllStringFunc(t, func(found string) string { return strings.ReplaceAll(found, " ", NoBreak) })
}

// Sentence makes a sentence of the text of an error: a capital first, a full stop at the end.
func Sentence(t string) string {
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

// AddressOf is a path with those fields of its query that are not empty, in pairs of a name and a value.
func AddressOf(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return WithQuery(path, q)
}

func WithQuery(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// IdText writes an id, "" for 0.
func IdText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// Weblink returns address, or "" when it is not an http or https address.
func Weblink(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return address
}

// Printable removes control characters.
func Printable(t string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, t)
}

// PrintableLines is a text of lines without other control characters.
func PrintableLines(t string) string {
	all := strings.Split(t, "\n")
	for i, line := range all {
		all[i] = Printable(line)
	}
	return strings.Join(all, "\n")
}

// Quoted is a name between quotation marks.
func Quoted(name string) string { return "“" + Printable(name) + "”" }

// When writes a time in the machine's zone, without what today and this year make needless.
func (f *Frame) When(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	now := f.options.Now().Local()
	t = t.Local()
	switch {
	case t.Year() == now.Year() && t.YearDay() == now.YearDay():
		return "today," + NoBreak + t.Format("15:04")
	case t.Year() == now.Year():
		return t.Format("Mon\u00a02\u00a0Jan, 15:04")
	default:
		return t.Format("2\u00a0Jan\u00a02006, 15:04")
	}
}

func (f *Frame) clock(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("15:04:05")
}

// Duration writes a duration in its two largest units.
func Duration(d time.Duration) string {
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

// Three writes a number with three digits behind the point.
func Three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// heat is the style class of a probability, one of 21 steps: the content security policy allows no style attributes.
func heat(p float64) string {
	return "heat-" + strconv.Itoa(int(math.Round(math.Min(math.Max(p, 0), 1)*20)))
}
