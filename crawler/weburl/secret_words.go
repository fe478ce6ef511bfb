package weburl

// secretNames are parameters whose value gives access or identifies a person, whatever it looks like. Names are compared
// in the form that plain returns.
var secretNames = set(`apikey privatekey secretkey accesskey authkey resetkey sharekey linkkey resourcekey rlkey awsaccesskeyid googleaccessid
	accessid secret secretid csrf xsrf hmac hmacsha256 authorization bearer jsessionid phpsessid cftoken jwt samlresponse samlrequest
	password passwd passwort passphrase pwd authcode accesscode passcode usercode devicecode invitecode invitationcode joincode
	bookingcode reservationcode bookingreference recordlocator pnr tracknum trackingnumber oauthverifier mceid mkttok hsenc`)

// secretEndings are the last words of compound names of such parameters: access_token, client-secret, X-Api-Key.
var secretEndings = []string{"token", "secret", "password", "passwd", "apikey", "accesskey", "authcode", "jwt"}

// hintNames are parameters whose value gives access or identifies a person if it looks like that: ?code=CS101 does not.
var hintNames = set(`token key code state session sess sid sessionid sessid sig signature auth oauth cookie pass pw pin otp totp email mail
	username ticket credential credentials nonce invite invitation magic verify verification unsubscribe assertion viewkey k`)

// hintEndings are the last words of compound names of such parameters: user_email, key-signature.
var hintEndings = []string{"signature", "sessionid", "sessid", "email", "otp", "credential"}

// keptNames are parameters with search words or a page's name: a long, varied value is no secret there. An address in the
// value is still checked, and a token of a known form is removed.
var keptNames = set(`q query search searchterm term terms keyword keywords kw text title name wd words subject topic
	s p page id v url list doi isbn issn pmid pii oldid sha rev revision commit docid sku asin story paper article`)

// shortNames are keptNames that may name anything: behind one of openPaths they are not kept.
var shortNames = set(`id p s v page`)

// rangeNames are parameters with the names of revisions: ?from=HASH&to=HASH.
var rangeNames = set(`from to parent base head`)

// revisionWords are values of parameters that show a revision of sources: ?a=commit&h=HASH.
var revisionWords = set(`commit commits commitdiff blob blobplain blobdiff tree shortlog changeset revision blame annotate`)

// secretPaths are path segments, or words of a short one, that announce a secret: /reset/TOKEN, /verify-email/TOKEN.
var secretPaths = set(`reset resetpassword passwordreset password passwords passwd verify verification verifyemail confirm confirmation
	activate activation invite invites invitation invitations invited magic magiclink unsubscribe optout share shared sharing
	forgot recover recovery callback secret private join joinchat unlock optin doubleoptin 2fa mfa totp redeem
	claim rsvp`)

// hintPaths are path segments, or words of a short one, that may announce a secret: /auth/TOKEN, /survey/TOKEN.
var hintPaths = set(`token tokens auth oauth login signin session sessions signup sso saml sh survey surveys otp ical ics preferences
	authenticate webhook webhooks hook hooks`)

// openPaths are path segments behind which a long random segment is a secret: documents, orders, calendars and the like that
// are open to everybody who has the address. So is any single letter.
var openPaths = set(`account accounts user users file files doc docs document documents download downloads folder folders drive view
	preview invoice invoices order orders booking bookings reservation reservations ticket tickets pay payment payments checkout checkouts
	billing calendar calendars feed feeds webcal meeting meetings form forms open uc welcome manage newsletter newsletters poll polls link links click track
	redirect email mail services catch cancel cancellation cancellations reschedule reschedulings published project projects board
	boards room rooms cart transfer transfers receipt receipts statement statements attachment attachments export exports embed
	upload uploads report reports message messages chat thread profile customer customers member members client clients subscription
	subscriptions delivery tracking parcel shipment quote quotes proposal proposals contract contracts sign signing envelope guest
	guests visit appointment appointments incomingwebhook api edit workspace workspaces note notes page pages list lists options`)

// publicPaths are path segments before the public name of something, however it looks: /commit/HASH, /track/ID.
var publicPaths = set(`list lists hash commit commits blob tree raw compare rev revision changeset article articles content contents story stories
	news doi abs pdf pii paper papers publication publications patent item items product products dp gp itm work works book books
	track album artist playlist episode show watch video videos channel question questions dataset datasets model models package
	packages ipfs wiki entry gene protein structure movie game recipe place places maps image images img photo photos static assets
	media thumb thumbs`)

// archiveHosts are labels of hosts that archive mailing lists: lore.example.com, www.mail-archive.example.
var archiveHosts = set(`list lists lore listserv mailman mailarchive mailarchives mailinglists marc groups`)

// archivePaths are path segments of such archives.
var archivePaths = set(`listserv mailman mailman3 mailarchive mailarchives mailinglists pipermail hyperkitty messageid msgid`)

// keyedFiles are the file name extensions of feeds and calendars.
var keyedFiles = set(`ics ical xml rss atom json`)

// openHosts are services whose addresses let everybody in who has them, although they look like words: the path segment after
// which they come; "" for any place, "#" for a number, "+" for segments that begin with it.
var openHosts = map[string]string{
	"meet.google.com": "", "chat.whatsapp.com": "", "discord.gg": "", "discord.com": "invite", "photos.app.goo.gl": "", "1drv.ms": "", "forms.gle": "",
	"we.tl": "", "overleaf.com": "read", "t.me": "+", "zoom.us": "my", "meet.jit.si": "", "whereby.com": "", "paste.ee": "p",
	"pastebin.com": "", "privatebin.net": "", "onetimesecret.com": "", "send.vis.ee": "", "hooks.zapier.com": "", "mediafire.com": "file",
	"line.me": "g", "hc-ping.com": "", "vimeo.com": "#", "doodle.com": "id",
	"forms.office.com": "r",
}
