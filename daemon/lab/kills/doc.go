// Package kills ends the whole program at any moment, starts it again, and checks that nothing is lost. It has only tests.
//
// The program is built with -tags failpoints, see package failpoint. For each place in places_test.go, a test ends the
// program when it comes to that place, and lets it go on from what it left on the disk. Other tests end it after random
// times. What a real browser's side of the wire format saw acknowledged, what a made-up web saw requested, and the files on
// the disk say whether anything was lost, not what the program believes.
//
// Tests whose names begin with TestSick give the program surroundings that fail instead of ending it: a disk that gets full at
// a place, a disk that cannot be written, a computer that sleeps, a network that is cut. They need NIGHTJAR_SICK=1, and some of them
// root, who can mount disks and make networks.
package kills
