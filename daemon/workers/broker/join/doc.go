// Package join is a worker's connection to the daemon: the names of subjects, the file of an invitation, and the connection itself.
// The daemon's side is package broker.
//
//	nj.hello.<worker>   request  Hello, Welcome
//	nj.next.<worker>    request  Ask, Grant
//	nj.result.<worker>  stream   a result; its header Nats-Msg-Id is <task>-<attempt>, so that one sent twice is stored once
//	nj.beat.<worker>    message  Beat
//	nj.ctl.<worker>     message  Control, from the daemon
//
// The types are those of package work. Every message has the header Nj-V; one without is ignored: it is an acknowledgement that the
// broker sent for somebody who named a foreign subject as the one to answer to.
//
// Start with Read and Dial.
package join
