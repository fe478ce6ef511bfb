package weburl

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/texts"
)

// Words in URLs, in lower case and without separators. Their position decides whether the URL performs an action.
var (
	// sessionEndings end a session or a subscription anywhere in a path, alone or as the verb of a longer name.
	sessionEndings = texts.Words(`logout logoff signout unsubscribe logmeout endsession deleteaccount closeaccount`)
	// partings do so if they have parameters, or behind one of containers: /auth/sign-off.
	partings = texts.Words(`signoff optout`)
	// actionWords act on something: as the value of a parameter, beside a number, or as the name of a program with
	// parameters.
	actionWords = wordsOf("actionWords")
	// ambiguousWords are actionWords that also name pages: beside a number they prove nothing.
	ambiguousWords = wordsOf("ambiguousWords")
	// actionsAfterItem are ambiguousWords that act after the number of an item: /post/12/like.
	actionsAfterItem = wordsOf("actionsAfterItem")
	// phrases act as a whole segment anywhere.
	phrases = wordsOf("phrases")
	// containers have items that are added and removed: /cart/add.
	containers = wordsOf("containers")
	// shops are containers of items with any name, which intoShop adds or removes: /cart/add/blue-shoes.
	shops    = texts.Words(`cart basket bag shoppingcart shoppingbasket wishlist compare productcompare favorites favourites watchlist`)
	intoShop = texts.Words(`add remove delete additem removeitem addproduct`)
	// containerActions act on a container.
	containerActions = wordsOf("containerActions")
	// titleFolders contain pages about a word: /wiki/Delete deletes nothing.
	titleFolders = wordsOf("titleFolders")
	// manuals are folders of documentation.
	manuals = wordsOf("manuals")
	// displayParams say how a page is shown, and which part of it.
	displayParams = wordsOf("displayParams")
	// verbParams are parameters whose value is the action.
	verbParams = texts.Words(`action act do op cmd task mode ac perform operation actn submit subaction mod todo fa`)
	// topicParams do so, too, but not in documentation: /reference?method=delete.
	topicParams = texts.Words(`event method func function step what command how`)
	// routeParams are parameters whose value is a path.
	routeParams = texts.Words(`route r page p controller module view option m`)
	// actionParams act by their presence.
	actionParams = wordsOf("actionParams")
	// yes are the values of a parameter that is switched on.
	yes = texts.Words(`1 true yes y on`)
)

// Action reports whether opening a URL seems to change something: logging out, unsubscribing, deleting, buying, voting,
// mailing a page to somebody. A crawl must not follow such a link. Pages about such actions (/wiki/Delete, /how-to-vote)
// do not count.
func Action(url string) bool {
	a, ok := split(url)
	if !ok {
		return false
	}
	return actionPath(a.path, a.query) || actionQuery(a.query, inManual(a.path))
}

// inManual reports whether a path leads into documentation, which shows words and commands: /reference/files/delete.
func inManual(path string) bool { return hasWord(path, "/", manuals) }

// asks reports whether a query says more than how to show a page, and whether it names an item.
func asks(query string) (asked, item bool) {
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		if name = lower(Unescape(name)); displayParams[plain(name)] || isDropped(name, Unescape(value), query) {
			continue
		}
		asked, item = true, item || isItem(Unescape(value))
	}
	return asked, item
}

// actionPath checks the segments of a path before a query.
func actionPath(path, query string) bool {
	asked, item := asks(query)
	if !asked && (documents.MatchString(path) || inManual(path) && !hasItem(path)) {
		return false
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	words := make([]string, len(segments))
	for i, s := range segments {
		words[i] = actionWord(Unescape(s))
	}
	for i, word := range words {
		last := i == len(words)-1
		prev, next := "", ""
		if i > 0 {
			prev = words[i-1]
		}
		if !last {
			next = words[i+1]
		}
		switch {
		case titleFolders[prev] && !asked && !(sessionEndings[word] && next != ""):
			continue // a title
		case sessionEndings[word] || phrases[word], word == "flag" && (next == "flag" || next == "unflag"):
			return true
		case partings[word] && (asked || containers[prev]):
			return true
		case shops[prev] && intoShop[word], i > 1 && shops[words[i-2]] && prev == "index" && intoShop[word]:
			return true
		case last && containers[prev] && containerActions[word] && (asked || !titleFolders[prev]):
			return true
		case containers[prev] && containerActions[word] && isItem(segments[i+1]):
			return true
		case actionWords[word] && actsOnNeighbour(word, segments, i, asked):
			return true
		case last && verbObject(segments[i], asked, item):
			return true
		}
	}
	return false
}

// actsOnNeighbour reports whether the action word at index i of a path acts on the item beside it.
func actsOnNeighbour(word string, segments []string, i int, asked bool) bool {
	before := i > 0 && isItem(segments[i-1]) && !dated(segments[:i])
	behind := i+1 < len(segments) && isItem(segments[i+1])
	last := i == len(segments)-1
	_, extension, _ := strings.Cut(lower(segments[i]), ".")
	switch {
	case !ambiguousWords[word]:
		return before || behind || asked && last
	case asked && last:
		return actionsWithParams[word] || word == "rate" && programs[extension] || before && actionsAfterItem[word]
	case behind:
		return actionsBeforeItem[word]
	}
	return before && last && actionsAfterItem[word]
}

// actionsBeforeItem are ambiguousWords that also act before the number of an item: /edit/12.
var actionsBeforeItem = texts.Words(`vote like flag reply edit`)

// actionsWithParams are ambiguousWords that act when they have parameters: /vote?id=12.
var actionsWithParams = wordsOf("actionsWithParams")

// documents are the endings of files that no program makes.
var documents = regexp.MustCompile(`(?i)\.(?:x?html?|pdf|e?ps|dvi|txt|text|md|rst|tex|docx?|od[tsp]|rtf|pptx?|xlsx?|csv|png|jpe?g|gif|svg|mp[34]|zip|t?gz|c|h|cc|go|java)$`)

// hasItem reports whether a segment of a path is an item.
func hasItem(path string) bool { return slices.ContainsFunc(strings.Split(path, "/"), isItem) }

// isItem reports whether a segment is the number or the key of an item, but not a year.
func isItem(s string) bool {
	if year(s) {
		return false
	}
	if number(s) {
		return true
	}
	digits := strings.IndexFunc(s, unicode.IsDigit) >= 0
	return digits && len(s) >= 8 && strings.Trim(lower(s), "0123456789abcdef-") == "" || random(s, open)
}

// dated reports whether segments end in the date of an article: 2024/05 or 2024/05/12.
func dated(segments []string) bool {
	n := len(segments)
	for n > 0 && len(segments)-n < 2 && number(segments[n-1]) && len(segments[n-1]) <= 2 {
		n--
	}
	return n > 0 && n < len(segments) && year(segments[n-1])
}

func year(s string) bool {
	return len(s) == 4 && number(s) && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// verbObject reports whether the name of a program is an action: delete_post.php?id=3, doLogout.jsp. item says that the query
// names an item.
func verbObject(segment string, asked, item bool) bool {
	name, extension, _ := strings.Cut(segment, ".")
	parts := nameParts(name)
	if len(parts) < 2 || len(parts) > 3 {
		return false
	}
	program := programs[lower(extension)]
	first, lastPart := parts[0], parts[len(parts)-1]
	switch {
	case sessionEndings[lastPart] && (program || asked || first == "do" || first == "user" || first == "wp"):
		return true
	case sessionEndings[first+lastPart] || first == "do" && actionWords[lastPart]:
		return true
	case lastPart == "out" && (parts[len(parts)-2] == "log" || parts[len(parts)-2] == "sign") && (program || len(parts) == 2):
		return true
	}
	return asked && (program || extension == "" && item) && actionWords[first] && (!ambiguousWords[first] || actionsWithParams[first])
}

// programs are the extensions of programs on a server.
var programs = texts.Words(`php asp aspx jsp jspx do action cgi pl cfm py rb dll exe php3 php5 shtml`)

// nameParts are the words of a name, separated by hyphens, underscores or capitals, in lower case.
func nameParts(s string) []string {
	var b strings.Builder
	was := rune(0)
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(was) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		was = r
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// actionQuery checks the parameters of a query. manual says that the path leads into documentation.
func actionQuery(query string, manual bool) bool {
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, has := strings.Cut(part, "=")
		name, value = plain(Unescape(name)), Unescape(value)
		switch {
		case (strings.HasSuffix(name, "logout") || sessionEndings[name]) && (!has || value != "0"):
			return true
		case actionParams[name] && paramActs(name, value, has):
			return true
		case (verbParams[name] || topicParams[name] && !manual) && valueActs(value):
			return true
		case routeParams[name] && strings.ContainsAny(value, "/.") && routeActs(value):
			return true
		case (name == "format" || name == "view" || name == "layout" || name == "tmpl" || name == "output") && printing[plain(value)]:
			return true
		}
	}
	return false
}

var printing = texts.Words(`print printable printer printerfriendly printview email`)

// paramActs reports whether one of the actionParams acts with its value.
func paramActs(name, value string, has bool) bool {
	switch name {
	case "print", "printable", "ical", "outlookical", "delete", "remove", "del", "share", "shareto", "addevent":
		v := lower(value)
		if !has || yes[v] || number(v) && v != "0" {
			return true
		}
		return strings.HasPrefix(name, "share") && v != "" && !strings.Contains(v, " ") && len(v) < 20 && v != "0"
	}
	return !has || value != "" && value != "0" && lower(value) != "false" && lower(value) != "no"
}

// valueActs reports whether a value names an action: delete, post_delete, cart.add, deleteComment.
func valueActs(value string) bool {
	parts := nameParts(value)
	if len(parts) == 0 || len(parts) > 4 {
		return false
	}
	if word := strings.Join(parts, ""); actionWords[word] || sessionEndings[word] || phrases[word] {
		return !harmlessValues[word]
	}
	if len(parts) == 1 {
		return parts[0] == "template" && value == "TEMPLATE" // Google's "add to calendar"
	}
	return actionWords[parts[0]] && !harmlessValues[parts[0]] || actionWords[parts[len(parts)-1]] && !harmlessValues[parts[len(parts)-1]]
}

// harmlessValues are action words that name a page as the value of a parameter.
var harmlessValues = texts.Words(`report start order rate post comment email share login signin register`)

// routeActs reports whether a path in a parameter ends in an action: account/logout, checkout/cart/add.
func routeActs(value string) bool {
	parts := nameParts(value)
	if len(parts) < 2 {
		return false
	}
	last := parts[len(parts)-1]
	return sessionEndings[last] || containers[parts[len(parts)-2]] && containerActions[last]
}

// actionWord is the word of a path segment: lower case, without hyphens and file name extension.
func actionWord(s string) string {
	s, _, _ = strings.Cut(strings.ToLower(s), ".")
	return hyphens.Replace(s)
}

var hyphens = strings.NewReplacer("-", "", "_", "", "+", "", " ", "")

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
