// Names that tell secrets in URLs from other parts of them. A classic script as privacy.js, which uses it; the daemon has the same
// names in crawler/weburl/secret_words.go.
(() => {
  "use strict";

  /** @param {string} words */
  const set = (words) => new Set(words.split(" "));

  // Parameters whose value gives access or identifies a person, whatever it looks like; spelled as plain returns them.
  const SECRET_NAMES = set(
    "token accesstoken refreshtoken idtoken authtoken requesttoken csrf csrftoken xsrf xsrftoken key apikey privatekey " +
      "secretkey accesskey awsaccesskeyid googleaccessid secret clientsecret sig signature hmac auth authkey authorization " +
      "bearer cookie oauth oauthtoken oauthverifier code state session sess sessionid sessid sid phpsessid jsessionid " +
      "aspsessionid cfid cftoken jwt assertion samlresponse samlrequest password passwd passwort passphrase pass pwd pw pin " +
      "otp totp email mail username ticket credential credentials nonce invite invitation magic resetkey resettoken " +
      "confirmationtoken verify verification unsubscribe mceid mkttok hsenc upn rlkey hmacsha256 idtokenhint loginhint " +
      "relaystate authcode accesscode passcode atltoken usercode devicecode recordlocator pnr bookingreference bookingcode " +
      "reservationcode accessid tracknum trackingnumber pubsecret resourcekey sharekey linkkey invitecode invitationcode " +
      "joincode viewkey secretid",
  );

  // Endings of compound names of such parameters: password_reset_token, X-Api-Key.
  const SECRET_ENDING =
    /(token|secret|password|passwd|signature|apikey|accesskey|sessionid|sessid|authcode|email|otp|jwt|credential)$/;

  // Path segments, or words of a short one, that announce a secret: /reset/TOKEN, /verify-email/TOKEN.
  const SECRET_PATHS = set(
    "reset resetpassword passwordreset password passwords passwd verify verification verifyemail confirm confirmation " +
      "activate activation invite invites invitation invitations invited magic magiclink unsubscribe optout token tokens auth " +
      "oauth login signin session sessions share shared sharing s forgot recover recovery signup sso saml callback secret " +
      "private join joinchat unlock optin doubleoptin 2fa mfa totp sh survey surveys otp webhook webhooks hook hooks ical ics " +
      "preferences redeem claim rsvp authenticate",
  );

  // Path segments behind which a long random segment is a secret: documents, orders, calendars and the like that are open to
  // everybody who has the address. So is any single letter.
  const OPEN_PATHS = set(
    "account accounts user users file files doc docs document documents download downloads folder folders drive view " +
      "preview invoice invoices order orders booking bookings reservation reservations ticket tickets pay payment payments " +
      "checkout checkouts billing calendar calendars feed feeds webcal meeting meetings form forms open uc welcome manage " +
      "newsletter newsletters poll polls link links click track redirect email mail services catch cancel cancellation " +
      "cancellations reschedule reschedulings published project projects board boards room rooms cart transfer transfers " +
      "receipt receipts statement statements attachment attachments export exports embed upload uploads report reports " +
      "message messages chat thread profile customer customers member members client clients subscription subscriptions " +
      "delivery tracking parcel shipment quote quotes proposal proposals contract contracts sign signing envelope guest " +
      "guests visit appointment appointments incomingwebhook api edit workspace workspaces note notes page pages list lists",
  );

  // Path segments before the public name of something, however it looks: /commit/HASH, /track/ID.
  const PUBLIC_PATHS = set(
    "list lists hash commit commits blob tree raw compare rev revision changeset article articles content contents story " +
      "stories news doi abs pdf pii paper papers publication publications patent item items product products dp gp itm work " +
      "works book books track album artist playlist episode show watch video videos channel question questions dataset " +
      "datasets model models package packages ipfs wiki entry gene protein structure movie game recipe place places maps " +
      "image images img photo photos static assets media thumb thumbs",
  );

  // Services whose addresses let everybody in who has them, although they look like words: the path segment after which they
  // come; "" for any place, "#" for a number, "+" for segments that begin with it.
  const OPEN_HOSTS = new Map([
    ["meet.google.com", ""], ["chat.whatsapp.com", ""], ["discord.gg", ""], ["photos.app.goo.gl", ""], ["1drv.ms", ""],
    ["forms.gle", ""], ["we.tl", ""], ["overleaf.com", "read"], ["t.me", "+"], ["zoom.us", "my"], ["meet.jit.si", ""],
    ["whereby.com", ""], ["paste.ee", "p"], ["pastebin.com", ""], ["privatebin.net", ""], ["onetimesecret.com", ""],
    ["send.vis.ee", ""], ["hooks.zapier.com", ""], ["mediafire.com", "file"], ["line.me", "g"], ["hc-ping.com", ""],
    ["vimeo.com", "#"], ["doodle.com", "id"], ["forms.office.com", "r"],
  ]);

  // Parameters with search words or the name of the page. Such values are kept even if they look random.
  const KEPT_NAMES = set(
    "q query search searchterm term terms keyword keywords kw text title name wd words subject topic s p page id v url list " +
      "doi isbn issn pmid pii oldid sha rev revision commit docid sku asin story paper article",
  );

  // Those of them that may name anything: behind one of OPEN_PATHS they are not kept.
  const SHORT_NAMES = set("id p s v page");

  globalThis.nightjarSecretWords = Object.freeze({
    SECRET_NAMES, SECRET_ENDING, SECRET_PATHS, OPEN_PATHS, PUBLIC_PATHS, OPEN_HOSTS, KEPT_NAMES, SHORT_NAMES,
  });
})();
