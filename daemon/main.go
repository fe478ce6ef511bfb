// Nightjar learns from the way one person browses which pages are on the way to useful ones, and follows links the
// same way at night. The data flows through these packages:
//
//	extension -> ingest -> store -> trainer -> model.Bundle -> scheduler -> crawler -> finds -> web -> feedback -> store
package main

import (
	"os"

	"nightjar/daemon/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
