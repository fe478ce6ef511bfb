// Program comes to two places, three times each. With an argument, it prints how long that takes, usually an hour.
package main

import (
	"fmt"
	"os"
	"time"

	"nightjar/crawler/failpoint"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println(failpoint.Span(os.Args[1], time.Hour))
		return
	}
	for i := range 3 {
		failpoint.Here("test.before-the-line")
		fmt.Println("line", i)
		failpoint.Here("test.after-the-line")
	}
}
