//go:build !race

package e2e

// raceDetector says whether the tests run with it; the daemon is then built with it too.
const raceDetector = false
