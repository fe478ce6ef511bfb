package weburl

import (
	"strings"
	"unicode"
)

// Words of addresses, in lower case and without joints. Which of them tell that opening an address does something
// depends on where they stand.
var (
	// endings end a session or a subscription wherever they stand in a path, alone or as the verb of a longer name.
	endings = set(`logout logoff signout signoff unsubscribe optout logmeout endsession deleteaccount closeaccount`)
	// doing change something when they name what is to be done to a thing: as the value of a parameter, beside a number,
	// or as the name of what is asked with parameters.
	doing = set(`delete del remove destroy erase trash discard clear empty purge reset undo restore revert rollback cancel
		vote upvote downvote votes rate like unlike dislike follow unfollow fave favorite favourite unfavorite star unstar pin
		subscribe unsubscribe addsubscription removesubscription watch unwatch bookmark flag report spam block unblock mute ban unban kick
		add addtocart addtobasket addtobag addtowishlist addtocompare addtofavorites addtofavourites addtocalendar addevent
		buy buynow order reorder purchase checkout pay donate bid redeem
		edit save update insert create submit send publish unpublish approve reject accept decline confirm activate
		deactivate enable disable suspend merge close reopen lock unlock move rename protect unprotect markpatrolled
		markread markasread markallread dismiss hide
		reply quote newreply newtopic newthread postreply comment post join leave rsvp register
		logout logoff signout signoff login signin
		run execute start stop restart reboot shutdown install uninstall upgrade
		email emailthis emailtofriend sendtofriend tellafriend sendpage mailto print printthis share`)
	// unclear are words of doing that name pages, too: beside a number they say nothing.
	unclear = set(`post comment comments report start stop run star order rate watch print share email send block close clear
		empty move login signin register install upgrade join leave add follow reply quote pin update create reset like
		vote votes edit buy purchase donate pay bid save restore hide confirm accept submit publish flag favorite favourite
		bookmark subscribe checkout cancel approve`)
	// after are the words of unclear that do something behind the number of a thing: /post/12/like.
	after = set(`like unlike follow vote votes edit reply quote report flag bookmark favorite favourite subscribe star rate share
		print email pin hide close watch add buy cancel approve confirm accept submit publish join leave rsvp move reset restore`)
	// phrases do something wherever they stand as a whole segment.
	phrases = set(`addtocart addtobasket addtobag addtowishlist addtocompare addtofavorites addtofavourites addtocalendar
		removefromcart removefrombasket emailthis emailthispage emailafriend emailtoafriend emailtofriend sendtofriend
		sendtoafriend tellafriend sendfriend sendpage emailarticle emailpage printthis printthispage
		printpage buynow postreply newreply newtopic newthread quickreply submitvote markasread markallread markread
		clearcart emptycart clearcache subscribeme wpadmin wplogin wplogout oneclick oneclickunsubscribe usubscribe
		upvote downvote unfollow unlike unstar unwatch deleteconfirm confirmdelete`)
	// containers hold things that are put in or taken out: /cart/add.
	containers = set(`cart basket bag shoppingcart shoppingbasket wishlist compare productcompare favorites favourites bookmarks
		watchlist friends contacts playlist calendar events event newsletter newsletters mailinglist subscription
		subscriptions poll polls vote survey user account customer member session sessions auth profile settings admin alerts
		product comment comments review reviews notifications`)
	// shops are the containers that are filled with things of any name, by one of intoShop: /cart/add/blue-shoes.
	shops    = set(`cart basket bag shoppingcart shoppingbasket wishlist compare productcompare favorites favourites watchlist`)
	intoShop = set(`add remove delete additem removeitem addproduct`)
	// putting is what is done to a container.
	putting = set(`add remove delete clear empty update subscribe unsubscribe vote submit save create new edit logout logoff
		signout signoff join leave post send confirm cancel activate deactivate close`)
	// titled hold pages about a word: /wiki/Delete is no deletion.
	titled = set(`wiki w wikis article articles blog blogs news story stories help docs doc documentation manual man guide guides
		tag tags topic topics category categories glossary dictionary define definition definitions word words term terms
		meaning thesaurus encyclopedia reference faq faqs kb support howto learn tutorial tutorials questions question book
		books film films song songs lyrics browse search about in of commands command sql keyword keywords`)
	// sayParams are parameters that say what is to be done.
	sayParams = set(`action act do op cmd task mode event method func function step ac perform operation actn submit subaction
		mod what todo command fa how`)
	// routeParams hold a path.
	routeParams = set(`route r page p controller module view option m`)
	// doParams do something by being there.
	doParams = set(`addtocart addtobasket addtobag addtowishlist addtocompare removeitem undoitem removefromcart emptycart
		clearcart removecoupon logout logoff signout unsubscribe optout mylogout dologout sharingurl share shareto
		addtofavorites addevent addtocalendar ical outlookical printable print emailthis voteup votedown delete deleteid remove
		removeid del wcajax doingwpcron customlogout markread upvote downvote unfollow`)
	// yes are values of a parameter that is set.
	yes = set(`1 true yes y on`)
)

// Action reports whether a URL looks as if opening it did something: logging out, unsubscribing, deleting, buying,
// voting, mailing a page to somebody. Nobody asked for that, so such a link is not followed. Pages about such things
// (/wiki/Delete, /how-to-vote) are not meant.
func Action(url string) bool {
	a, ok := split(url)
	if !ok {
		return false
	}
	return actionPath(a.path, a.query != "") || actionQuery(a.query)
}

// actionPath reads the segments of a path; asked says that a query follows.
func actionPath(path string, asked bool) bool {
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
		case titled[prev] && !asked && !(endings[word] && next != ""):
			continue // a title
		case endings[word] || phrases[word], word == "flag" && (next == "flag" || next == "unflag"):
			return true
		case shops[prev] && intoShop[word], i > 1 && shops[words[i-2]] && prev == "index" && intoShop[word]:
			return true
		case last && containers[prev] && putting[word] && (asked || !titled[prev]):
			return true
		case containers[prev] && putting[word] && thing(segments[i+1]):
			return true
		case doing[word] && actsHere(word, segments, i, asked):
			return true
		case last && verbObject(segments[i], asked):
			return true
		}
	}
	return false
}

// actsHere reports whether a word of doing at place i of a path does something to the thing beside it.
func actsHere(word string, segments []string, i int, asked bool) bool {
	before := i > 0 && thing(segments[i-1])
	behind := i+1 < len(segments) && thing(segments[i+1])
	last := i == len(segments)-1
	_, extension, _ := strings.Cut(segments[i], ".")
	extension = lower(extension)
	switch {
	case !asked && strings.HasPrefix(extension, "htm"):
		return false // a written page
	case !unclear[word]:
		return before || behind || asked && last
	case asked && last:
		return sure[word] || word == "rate" && programs[extension] || before && after[word]
	case behind:
		return voting[word]
	}
	return before && last && after[word]
}

// voting are words of unclear that do something before the number of a thing, too: /edit/12.
var voting = set(`vote like flag reply edit`)

// sure are words of unclear that do something when they are asked with parameters: /vote?id=12.
var sure = set(`vote like follow buy purchase flag reply bookmark favorite favourite edit cancel approve confirm subscribe
	checkout hide pin publish clear empty`)

// thing reports whether a segment is the number or the key of a thing, years aside.
func thing(s string) bool {
	if year(s) {
		return false
	}
	if number(s) {
		return true
	}
	digits := strings.IndexFunc(s, unicode.IsDigit) >= 0
	return digits && len(s) >= 8 && strings.Trim(lower(s), "0123456789abcdef-") == "" || random(s, minSegment)
}

func year(s string) bool {
	return len(s) == 4 && number(s) && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// verbObject reports whether the name of a program says what it does: delete_post.php?id=3, doLogout.jsp.
func verbObject(segment string, asked bool) bool {
	name, extension, _ := strings.Cut(segment, ".")
	parts := nameParts(name)
	if len(parts) < 2 || len(parts) > 3 {
		return false
	}
	program := programs[lower(extension)]
	first, lastPart := parts[0], parts[len(parts)-1]
	switch {
	case endings[lastPart] && (program || asked || first == "do" || first == "user" || first == "wp"):
		return true
	case endings[first+lastPart] || first == "do" && doing[lastPart]:
		return true
	case lastPart == "out" && (parts[len(parts)-2] == "log" || parts[len(parts)-2] == "sign") && (program || len(parts) == 2):
		return true
	}
	return asked && (program || extension == "") && doing[first] && (!unclear[first] || sure[first])
}

// programs are the extensions of what runs on a server.
var programs = set(`php asp aspx jsp jspx do action cgi pl cfm py rb dll exe php3 php5 shtml`)

// nameParts are the words of a name that hyphens, underscores or capitals part, in lower case.
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

// actionQuery reads the parameters of a query.
func actionQuery(query string) bool {
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, has := strings.Cut(part, "=")
		name, value = plain(Unescape(name)), Unescape(value)
		switch {
		case (strings.HasSuffix(name, "logout") || endings[name]) && (!has || value != "0"):
			return true
		case doParams[name] && doesSo(name, value, has):
			return true
		case sayParams[name] && doesValue(value):
			return true
		case routeParams[name] && strings.ContainsAny(value, "/.") && doesRoute(value):
			return true
		case (name == "format" || name == "view" || name == "layout" || name == "tmpl" || name == "output") && printing[plain(value)]:
			return true
		}
	}
	return false
}

var printing = set(`print printable printer printerfriendly printview email`)

// doesSo reports whether a parameter of doParams does something with its value.
func doesSo(name, value string, has bool) bool {
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

// doesValue reports whether a value names something that is done: delete, post_delete, cart.add, deleteComment.
func doesValue(value string) bool {
	parts := nameParts(value)
	if len(parts) == 0 || len(parts) > 4 {
		return false
	}
	if word := strings.Join(parts, ""); doing[word] || endings[word] || phrases[word] {
		return !harmless[word]
	}
	if len(parts) == 1 {
		return parts[0] == "template" && value == "TEMPLATE" // Google's "add to calendar"
	}
	return doing[parts[0]] && !harmless[parts[0]] || doing[parts[len(parts)-1]] && !harmless[parts[len(parts)-1]]
}

// harmless are words of doing that are pages when a parameter says them.
var harmless = set(`report start order rate post comment email share login signin register`)

// doesRoute reports whether a path in a parameter ends in something that is done: account/logout, checkout/cart/add.
func doesRoute(value string) bool {
	parts := nameParts(value)
	if len(parts) < 2 {
		return false
	}
	last := parts[len(parts)-1]
	return endings[last] || containers[parts[len(parts)-2]] && putting[last]
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
