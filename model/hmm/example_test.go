package hmm_test

import (
	"fmt"

	"nightjar/model/hmm"
)

// Estimate counts the parameters on pages whose distance from a target is known. Start, Predict and Filter then follow a
// crawl from page to page: the distribution over states says how many links are probably left.
func Example() {
	states := []int{2, 1, 0, 2}   // links to the nearest target; 2 means two or more
	clusters := []int{1, 2, 0, 1} // what was observed of each page
	m := hmm.Estimate(3, 3, states, clusters, [][2]int{{0, 1}, {1, 2}, {0, 3}}, 0.1)

	alpha := m.Start(m.Evidence(1))
	fmt.Printf("first page    %.2f\n", alpha)
	fmt.Printf("behind a link %.2f\n", m.Predict(alpha))
	alpha = m.Filter(alpha, m.Evidence(2))
	fmt.Printf("second page   %.2f\n", alpha)
	// Output:
	// first page    [0.07 0.07 0.86]
	// behind a link [0.12 0.44 0.44]
	// second page   [0.02 0.93 0.05]
}

// Viterbi finds the most probable way through the states when the whole path is known.
func ExampleModel_Viterbi() {
	m := hmm.Estimate(3, 3, []int{2, 1, 0, 2}, []int{1, 2, 0, 1}, [][2]int{{0, 1}, {1, 2}, {0, 3}}, 0.1)
	way, _ := m.Viterbi(m.EvidenceOf([]int{1, 2, 0}))
	fmt.Println(way)
	// Output: [2 1 0]
}
