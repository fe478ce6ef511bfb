package days

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// dashboard is a browser that is logged in to the dashboard.
type dashboard struct {
	t      *testing.T
	client *http.Client
	base   string // http://HOST:PORT
}

// open uses the daemon's one-time link.
func open(l *life) *dashboard {
	l.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		l.t.Fatal(err)
	}
	link, err := url.Parse(l.login)
	if err != nil {
		l.t.Fatal(err)
	}
	var dialer net.Dialer
	d := &dashboard{t: l.t, base: "http://" + link.Host, client: &http.Client{Jar: jar, Timeout: patience, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, l.address)
		},
	}}}
	l.t.Cleanup(d.client.CloseIdleConnections)
	d.page(link.RequestURI())
	return d
}

// get returns what is at a path, after redirects.
func (d *dashboard) get(path string) (status int, body string) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.base+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.do(req)
}

func (d *dashboard) do(req *http.Request) (status int, body string) {
	d.t.Helper()
	res, err := d.client.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// page returns a page, which must be there.
func (d *dashboard) page(path string) *goquery.Document {
	d.t.Helper()
	status, body := d.get(path)
	return d.read(path, status, body)
}

func (d *dashboard) read(path string, status int, body string) *goquery.Document {
	d.t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	if status != http.StatusOK {
		d.t.Fatalf("%s: %d: %s", path, status, words(doc.Find("main")))
	}
	return doc
}

// submit fills in the form of a page that a selector finds as the browser shows it, changes some fields, and sends it. A nil value
// leaves a field out, as a box that is not ticked.
func (d *dashboard) submit(path, form string, change url.Values) *goquery.Document {
	d.t.Helper()
	f := d.page(path).Find(form).First()
	action, ok := f.Attr("action")
	if !ok {
		d.t.Fatalf("%s has no form %s", path, form)
	}
	values := url.Values{}
	f.Find("input, select, textarea").Each(func(_ int, field *goquery.Selection) {
		name, named := field.Attr("name")
		_, checked := field.Attr("checked")
		switch kind := field.AttrOr("type", ""); {
		case !named || kind == "submit" || (kind == "checkbox" || kind == "radio") && !checked:
		case goquery.NodeName(field) == "select":
			values.Add(name, field.Find("option[selected]").AttrOr("value", ""))
		case goquery.NodeName(field) == "textarea":
			values.Add(name, field.Text())
		default:
			values.Add(name, field.AttrOr("value", "on"))
		}
	})
	for name, value := range change {
		values[name] = value
	}
	return d.post(action, values)
}

// post sends a form, which must be taken, and returns the page that follows.
func (d *dashboard) post(path string, values url.Values) *goquery.Document {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.base+path, strings.NewReader(values.Encode()))
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", d.base)
	status, body := d.do(req)
	return d.read(path, status, body)
}

// alike makes addresses of pages of one kind the same: numbers and ids become *, and of the query only the names count.
var alike = regexp.MustCompile(`/(\d+|[0-9a-f]{8}-[0-9a-f-]{27})\b|=[^&]*`)

const (
	ofOneKind = 2   // pages of one kind that walk looks at
	mostPages = 200 // that walk looks at
)

// walk follows the links of the dashboard from its first page, and checks that each page is there.
func (d *dashboard) walk(when string) {
	d.t.Helper()
	seen, kinds := map[string]bool{}, map[string]int{}
	n := 0
	for due := []string{"/"}; len(due) > 0 && n < mostPages; n++ {
		at := due[0]
		due = due[1:]
		status, body := d.get(at)
		if status != http.StatusOK {
			d.t.Errorf("%s: %s: %d\n%.500s", when, at, status, body)
			continue
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			d.t.Errorf("%s: %s: %v", when, at, err)
			continue
		}
		doc.Find("a[href], [data-load], [data-details]").Each(func(_ int, a *goquery.Selection) {
			for _, attribute := range []string{"href", "data-load", "data-details"} {
				to := d.resolve(at, a.AttrOr(attribute, ""))
				kind := alike.ReplaceAllString(to, "/*")
				if to == "" || seen[to] || kinds[kind] == ofOneKind {
					continue
				}
				seen[to] = true
				kinds[kind]++
				due = append(due, to)
			}
		})
	}
	d.t.Logf("%s: %d pages of %d kinds", when, n, len(kinds))
	if n < 12 {
		d.t.Errorf("%s: the dashboard has %d pages only", when, n)
	}
}

// resolve is the path of a link of a page, "" for one that leads out of the dashboard or downloads all data.
func (d *dashboard) resolve(from, link string) string {
	at, err := url.Parse(d.base + from)
	if err != nil || link == "" {
		return ""
	}
	to, err := at.Parse(link)
	if err != nil || to.Scheme+"://"+to.Host != d.base || to.Path == "/settings/backup" {
		return ""
	}
	return to.RequestURI()
}

// words is the text of a selection, in one line.
func words(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }
