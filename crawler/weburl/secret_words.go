package weburl

import "nightjar/crawler/texts"

// secretNames are parameters whose value gives access or identifies a person, whatever it looks like. Names are compared
// in the form that plain returns.
var secretNames = wordsOf("secretNames")

// secretEndings are the last words of compound names of such parameters: access_token, client-secret, X-Api-Key.
var secretEndings = []string{"token", "secret", "password", "passwd", "apikey", "accesskey", "authcode", "jwt"}

// hintNames are parameters whose value gives access or identifies a person if it looks like that: ?code=CS101 does not.
var hintNames = wordsOf("hintNames")

// hintEndings are the last words of compound names of such parameters: user_email, key-signature.
var hintEndings = []string{"signature", "sessionid", "sessid", "email", "otp", "credential"}

// keptNames are parameters with search words or a page's name: a long, varied value is no secret there. An address in the
// value is still checked, and a token of a known form is removed.
var keptNames = wordsOf("keptNames")

// shortNames are keptNames that may name anything: behind one of openPaths they are not kept.
var shortNames = texts.Words(`id p s v page`)

// rangeNames are parameters with the names of revisions: ?from=HASH&to=HASH.
var rangeNames = texts.Words(`from to parent base head`)

// revisionWords are values of parameters that show a revision of sources: ?a=commit&h=HASH.
var revisionWords = texts.Words(`commit commits commitdiff blob blobplain blobdiff tree shortlog changeset revision blame annotate`)

// secretPaths are path segments, or words of a short one, that announce a secret: /reset/TOKEN, /verify-email/TOKEN.
var secretPaths = wordsOf("secretPaths")

// hintPaths are path segments, or words of a short one, that may announce a secret: /auth/TOKEN, /survey/TOKEN.
var hintPaths = wordsOf("hintPaths")

// openPaths are path segments behind which a long random segment is a secret: documents, orders, calendars and the like that
// are open to everybody who has the address. So is any single letter.
var openPaths = wordsOf("openPaths")

// publicPaths are path segments before the public name of something, however it looks: /commit/HASH, /track/ID.
var publicPaths = wordsOf("publicPaths")

// archiveHosts are labels of hosts that archive mailing lists: lore.example.com, www.mail-archive.example.
var archiveHosts = texts.Words(`list lists lore listserv mailman mailarchive mailarchives mailinglists marc groups`)

// archivePaths are path segments of such archives.
var archivePaths = texts.Words(`listserv mailman mailman3 mailarchive mailarchives mailinglists pipermail hyperkitty messageid msgid`)

// keyedFiles are the file name extensions of feeds and calendars.
var keyedFiles = texts.Words(`ics ical xml rss atom json`)

// openHosts are services whose addresses let everybody in who has them, although they look like words: the path segment after
// which they come; "" for any place, "#" for a number, "+" for segments that begin with it.
var openHosts = map[string]string{
	"meet.google.com": "", "chat.whatsapp.com": "", "discord.gg": "", "discord.com": "invite", "photos.app.goo.gl": "", "1drv.ms": "", "forms.gle": "",
	"we.tl": "", "overleaf.com": "read", "t.me": "+", "zoom.us": "my", "meet.jit.si": "", "whereby.com": "", "paste.ee": "p",
	"pastebin.com": "", "privatebin.net": "", "onetimesecret.com": "", "send.vis.ee": "", "hooks.zapier.com": "", "mediafire.com": "file",
	"line.me": "g", "hc-ping.com": "", "vimeo.com": "#", "doodle.com": "id",
	"forms.office.com": "r",
}
