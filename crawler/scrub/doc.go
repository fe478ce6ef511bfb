// Package scrub takes secrets, code and what a person typed out of the HTML of a page before it is stored.
//
// The extension leaves all of that out before it sends a page (extension/src/content/snapshot.js). HTML does the same once
// more, on the way into the store: for session files, for other clients, and for an extension with a defect. What goes:
//
//   - what is in script, noscript, template, textarea, select, datalist, option, output and svg elements, and in elements
//     that the person may type into (contenteditable);
//   - attributes that run code, hold values of forms or data of scripts: on*, data-*, value, checked, srcdoc, srcset, nonce, ping;
//   - secrets in attributes with an address, as weburl.Redact finds them, and addresses that lead to no page, such as data:,
//     javascript: and mailto:;
//   - secrets in the addresses of meta elements, and what meta elements for tokens hold;
//   - comments, and addresses in styles.
//
// The elements themselves stay, so that a page that asks for a password is still known as one. Texts stay as they are: an
// address that the page shows as text is not looked at.
//
// Pages come from strangers: any bytes give a result, in time linear in their size.
package scrub
