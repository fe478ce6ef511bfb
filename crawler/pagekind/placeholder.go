package pagekind

import (
	"slices"
	"strings"
)

// placeholder is how one kind of placeholder page is recognised: a part of its title is a typical title, or its short text
// contains enough of the phrases.
type placeholder struct {
	why      string
	title    func() []phrase // a whole part of the title
	titled   int             // words that a page with such a title has at most
	phrases  func() []phrase // in title or text
	need     int             // different ones of them
	words    int             // that a page with the phrases has at most
	password int             // most words of a page with a password field, 0 if that field does not count
}

// suspect is a page that may be a placeholder.
type suspect struct {
	title    []string // its parts, in lower case
	text     string   // title and text, in lower case
	words    int
	password bool
}

func (k *placeholder) is(c *suspect) bool {
	if k.password > 0 && c.password && c.words <= k.password {
		return true
	}
	if c.words <= k.titled {
		for _, part := range c.title {
			for _, t := range k.title() {
				if t.in(part) && t.expression().MatchString(part) {
					return true
				}
			}
		}
	}
	return c.words <= k.words && k.matches(c.text)
}

// matches reports whether a text contains enough different phrases.
func (k *placeholder) matches(text string) bool {
	var found []string
	for _, p := range k.phrases() {
		if !p.in(text) {
			continue
		}
		for _, f := range p.expression().FindAllString(text, -1) {
			if slices.Contains(found, f) {
				continue
			}
			if found = append(found, f); len(found) >= k.need {
				return true
			}
		}
	}
	return false
}

// titleParts splits a title at the signs between the names of a page and its site, in lower case.
func titleParts(title string) []string {
	return strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return strings.ContainsRune("|–—·•»«/", r) })
}

// whole are phrases that are all of a part of a title, spaces and punctuation aside. A hyphen with spaces ends a part,
// too.
func whole(lines string) func() []phrase {
	return phrasesOf(`^(?:.* - )?[\s\pP]*(?:`, lines, `)[\s\pP]*(?: - .*)?$`)
}

// anyOf are phrases that begin with a word.
func anyOf(lines string) func() []phrase { return phrasesOf(`\b(?:`, lines, `)`) }

var missing = placeholder{
	why: "the page says that what was asked for is not there",
	title: whole(`(http |status )?(error )?(404|410)( error| page)?[ :(-]*(page)?( ?not found| gone| error)?
		(error 404 )?(sorry )?(the |this )?(requested )?(page|file|document|content|article|url|resource|site) (you requested |requested )?(was |is |could |can)?( ?not|n't)( be)? (found|available|exist)(\s*404)?( error)?
		not found
		page (doesn't|does not|no longer) exists?
		(page|content|article) (is )?(no longer available|unavailable|missing)
		oops( page not found)?
		410 gone
		object not found
		nothing found( here)?
		seite (wurde )?nicht gefunden
		page (introuvable|non trouvée)
		página no encontrada
		pagina non trovata
		pagina niet gevonden
		sidan (kunde inte hittas|hittades inte)
		siden blev ikke fundet
		página não encontrada
		страница не найдена`),
	titled: 300,
	phrases: anyOf(`(page|file|document|article|content|product|item|url|address|link) (that )?(you |you're |you are |you were )?((have |are )?(looking|searching) for|(have )?requested|followed|tried to (reach|open|visit)|entered)?,? ?(was|is|could|can|cannot|does|has|may|might)?( ?not|n't)?( have)?( be(en)?)? (found|exist|moved|deleted|removed|available)
		(could not|couldn't|cannot|can't|can not|unable to) find (the|that|this|what|your) ?(page|file|document|article|you|url)?
		(there is|there's) nothing here
		no such page
		(may|might|could) have been (re)?(moved|named|sold|deleted)
		(page|article|user|topic) .{1,40} (does not|doesn't) exist
		requested (url|page|resource|address).{0,60} (not be|not) found
		that's an error
		no longer (exists|available)
		page not found
		error 404
		404 not found
		die (gesuchte |angeforderte )?seite (wurde|konnte) nicht gefunden
		la page (que vous|demandée) .{0,40}(n'existe|introuvable)
		la página (que|solicitada) .{0,40}(no existe|no se)`),
	need: 2, words: 90,
}

// placeholders are the kinds of placeholder pages, the surest first.
var placeholders = []placeholder{
	{
		why: "the page wants to know whether its reader is a person",
		title: whole(`just a moment
			attention required!?
			(are you a )?(human|robot)\?? ?check
			are you (a )?(human|robot)
			(please )?verify(ing)? (that )?you are (a )?human
			human verification
			robot check
			(security|captcha|browser) (check|challenge|verification)
			captcha
			(please )?(complete|solve) the captcha( to continue)?
			checking your browser( before accessing)?
			one more step
			pardon our interruption
			ddos-guard
			ddos protection
			bot (check|verification)
			challenge validation
			access to this page has been denied
			client challenge
			verification required
			einen moment
			un instant
			un momento`),
		titled: 150,
		phrases: anyOf(`(verify|confirm|prove|checking|check|make sure|ensure) (if |whether |that )?you('re| are) (a |not a |an? actual )?(real )?(human|robot|bot|person)
			checking (your browser|if the site connection is secure)
			(complete|solve|fill in) (the|this) (security check|captcha|challenge)
			i('m| am) not a robot
			unusual (traffic|activity) from your
			enable javascript and cookies to continue
			needs to review the security of your connection
			ray id
			performance (&|and) security by
			ddos protection by
			(type|enter) the (characters|letters|text) (you see|in the (image|picture))
			automated (requests|queries|access)
			something about your browser made us think
			press (&|and) hold
			reference id
			incident (id|number)
			your (browser|request) (looks|has been) .{0,30}(bot|automated|blocked)`),
		need: 2, words: 150,
	},
	{
		why: "the host says that it was asked too often",
		title: whole(`(error |http )?429( error)?( -)?( too many requests)?
			too many requests
			rate limit(ed| exceeded)?`),
		titled: 150,
		phrases: anyOf(`too many requests
			rate limit (exceeded|reached)
			you have (sent|made) too many
			(slow down|try again (later|in (a|\d+)))
			exceeded the (number|rate|limit)`),
		need: 2, words: 80,
	},
	{
		why: "the page is closed to us",
		title: whole(`(error |http )?(401|402|403|451)( error)?( -)?( forbidden| unauthorized| access denied)?
			(access|permission) (denied|forbidden)
			forbidden
			unauthorized
			(you have been |you are |request )blocked
			not available in your (country|region)
			zugriff verweigert
			accès refusé
			acceso denegado`),
		titled: 150,
		phrases: anyOf(`(do not|don't) have (permission|access|authori[sz]ation) to
			access (to this (page|resource|site) )?(is |has been )?(denied|forbidden|restricted)
			(has|have) been blocked
			not authori[sz]ed to (view|access)
			not available in your (country|region|location)
			(subscribe|subscription|subscribers|register|sign (in|up)|log in) (to|for|required|only).{0,20}(continue|read|view|unlock|access)
			already (a )?(subscriber|have an account)`),
		need: 2, words: 120,
	},
	{
		why: "the page asks for a login",
		title: whole(`((please )?(log|sign)[ -]?(in|on)|login|signin|sign-in|logon)( page| required| form| now| here)?( (to|or) .{1,40})?
			(user|member|account|admin|customer|staff|student|secure|webmail) (log|sign)[ -]?(in|on)
			(user|member|admin|customer|staff|student|secure|webmail) login
			(create|register) (an |a new |your )?account
			(sign[ -]?up|register)( now| here)?
			(forgot|reset|forgotten|lost) (your )?password\??
			password (reset|recovery|required)
			authentication( required)?
			single sign-on
			central authentication service
			anmelden|anmeldung|einloggen
			(se )?connexion
			(identifiez|connectez)-vous
			iniciar sesión|acceder
			accedi|accesso
			inloggen
			logga in|inloggning
			log på|log ind|logg inn
			entrar
			вход`),
		titled: 120,
		phrases: anyOf(`(log|sign) in (to|with) (your|continue|an?) 
			(forgot|forgotten|lost) (your )?(password|username)
			(remember|keep) me (signed|logged)? ?in?
			(enter|type) your (username|user name|password|e-?mail)
			(don't|do not) have an account
			create (an|a new|your) account
			you must (be logged|log|sign) in
			(please )?(log|sign) in to (continue|view|access|see)
			(username|user name|e-?mail( address)?)( or .{1,20})?[\s:]+password
			continue with (google|facebook|apple|microsoft)`),
		need: 2, words: 110, password: 150,
	},
	{
		why: "the page asks for consent before it shows anything",
		title: whole(`before you continue( to .{1,40})?
			(we value )?your privacy( matters)?
			(cookie|privacy|gdpr|data) (consent|wall|preferences|settings|notice|choices)
			(manage|your) (cookie|privacy|consent) (settings|preferences|choices)
			consent( required| management)?
			cookies?
			age (verification|check|gate)
			(please )?(confirm|verify) your age`),
		titled: 200,
		phrases: anyOf(`before you continue
			we (and our (\d+ )?(partners|vendors) )?(use|value|store|process|care about) .{0,30}(cookies|your privacy|personal data|information on)
			(accept|allow|agree to) (all|cookies)
			(reject|decline|deny) (all|cookies)
			(manage|customi[sz]e|more) (options|settings|preferences|choices|cookies)
			(continue|visit|read) .{0,30}without (accepting|ads|tracking|advertising)
			legitimate interest
			strictly necessary
			withdraw your consent
			(i|you must) (am|be) (at least |over )?(18|21)
			are you (over|at least) (18|21)
			alle(s)? (cookies )?akzeptieren
			wir (verwenden|nutzen) cookies
			tout (accepter|refuser)
			aceptar (todo|todas)
			accetta (tutti|tutto)`),
		need: 3, words: 200,
	},
	missing,
	{
		why: "the page shows nothing without scripts",
		title: whole(`(please )?enable (javascript|cookies)
			(javascript|cookies) (is )?(required|disabled|not enabled)`),
		titled: 80,
		phrases: anyOf(`(please )?(enable|turn on|activate|switch on|allow) (your )?(javascript|java script|cookies|js)
			javascript (is|must be|to be|has to be|appears to be|seems to be) (required|disabled|enabled|not enabled|turned off|off)
			(requires|need|needs|without|doesn't work properly without|does not support) javascript
			your browser (does not|doesn't) support
			javascript (aktivieren|aktiviert)
			activer javascript
			habilit(e|ar) javascript`),
		need: 1, words: 60,
	},
	{
		why: "the domain is parked or the site is not there yet",
		title: whole(`.{0,60}(domain|domain name|website)( name)? (is |may be )?(for sale|parked|expired|available)!?
			(this |the )?(site|website|page|domain) (is )?(coming soon|under construction|parked|suspended|expired|not published|temporarily unavailable|under maintenance)
			buy (this|the) domain( name)?
			coming soon
			under construction
			account suspended
			(future|new) home of .{1,60}
			parked domain( name)?
			(apache2?|nginx|iis|centos|ubuntu|debian|fedora|http server|plesk|cpanel).{0,30}(default|test|welcome) ?(page|server)?
			(test|default) page .{0,60}(apache|nginx|http server|server).{0,30}
			welcome to (nginx|openresty|centos|caddy)!?
			it works!?
			iis( \d+)? windows( server)?
			default (web ?site|web) page
			(service|site) (temporarily )?unavailable
			(error |http )?50[0-4]( error)?( -)?( internal server error| bad gateway| service (temporarily )?unavailable| gateway timeout)?
			internal server error
			bad gateway
			(scheduled |down for |under )maintenance( mode)?
			database error
			error establishing a database connection`),
		titled: 250,
		phrases: anyOf(`(this|the) domain (name )?.{0,60}(is|may be) (for sale|parked|available (for|to)|registered)
			buy this domain
			domain (has|may have) expired
			(is|are) for sale
			parked (free|domain|by|courtesy)
			(make|submit) an offer
			(inquire|enquire|contact) .{0,30}(the owner of this domain|domain broker|about this domain)
			related (searches|links)
			sponsored (listings|links)
			renew (it|this domain|your domain)
			(sedo|godaddy|hugedomains|afternic|dan\.com|namecheap|bodis|parkingcrew)
			web ?site (is )?(coming soon|under construction|not (yet )?(configured|published))
			this account has been suspended
			(default|placeholder|test) page
			if you (are the (owner|administrator)|own|can read) this (page|domain|website|site)?
			back (soon|shortly|online)
			(down for|undergoing|under) .{0,20}maintenance`),
		need: 2, words: 120,
	},
}
