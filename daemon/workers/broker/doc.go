// Package broker carries tasks and results between the daemon and workers on other machines. It has a NATS server of its own within
// the process, or uses a cluster elsewhere. It decides nothing about tasks: that is work.Desk.
//
//	worker  -- nj.hello, nj.next -->  broker  -- Hello, Grant -->  desk       asked and answered
//	worker  -- nj.result ---------->  stream  -- Arrive -------->  desk       stored first, acknowledged after its commit
//	worker  -- nj.beat ------------>  broker  -- Beat ---------->  desk
//	worker  <-- nj.ctl -------------  broker  <-- Control -------  daemon
//
// The stream may be lost at any time: its tasks' leases run out, and they are fetched again. Start with Open; package join is the
// worker's side.
//
// # Who may connect
//
// A worker is let in with a certificate of the broker's own authority that names it, and the key of its invitation. It may publish
// on its own four subjects and receive on its own inbox and nj.ctl: permissions of the connection, which the server enforces. What
// the server does not check is which subject a message asks to be answered on, so answers go to the asking worker's inbox only, and
// messages without the header Nj-V are ignored, such as an acknowledgement of the stream that was sent to a foreign subject.
package broker
