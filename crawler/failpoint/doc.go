// Package failpoint names the places in the source at which tests end the program. Here marks such a place. In a normal
// build it does nothing and leaves nothing in the binary, not even the name.
//
// Build with -tags failpoints to let it act. Environment variables then say what happens:
//
//   - NIGHTJAR_FAILPOINT=NAME:N ends the process when it comes to NAME for the Nth time, as if the machine's user had sent
//     SIGKILL: no deferred function runs and nothing is flushed. NAME:N:term asks the process to stop instead, by SIGTERM,
//     and lets it go on. NAME:N:wait lets it wait at that place until NIGHTJAR_FAILPOINT_GO=FILE is there, so that a test can
//     change its surroundings meanwhile.
//   - NIGHTJAR_FAILPOINT_AFTER=FILE counts these passes only from when FILE is there.
//   - NIGHTJAR_FAILPOINT_LOG=FILE adds the name of each place that the process comes to to FILE, one a line.
//   - NIGHTJAR_SPANS=NAME=1s,… shortens waits that tests cannot sit out; see Span.
//
// A test that has the program in its own process sets Passes instead.
//
// The names and what each test does with them are listed in daemon/lab/kills.
package failpoint
