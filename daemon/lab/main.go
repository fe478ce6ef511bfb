// Lab measures Nightjar: it records, trains, crawls and compares outside the program that people install. Nothing that serves
// people imports it.
//
//	go run ./daemon/lab --help
package main

import (
	"os"

	"nightjar/daemon/lab/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
