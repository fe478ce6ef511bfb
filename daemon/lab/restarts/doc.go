// Package restarts tests that the whole program stays polite over restarts: it crawls a made-up web while it is killed and
// stopped again and again, and the web notes when each request came. It has only tests, with the build tag measure: 24 restarts
// take some minutes.
package restarts
