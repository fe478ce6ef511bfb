package groups

// What the paper found. [THESUS] §6.3, tables 1 to 3, and figures 5 and 6.

// found is a row of tables 1 to 3.
type found struct {
	pages, categories int
	minSim            float64 // 0: COBWEB has none
	clustered         int     // 0: COBWEB clusters all
	clusters          int
	entropy           float64
	decrease          float64 // as printed
}

// Averages of decrease, as printed.
const (
	average1 = .36
	average2 = .49
	average3 = .52
)

var (
	table1 = []found{
		{400, 23, .55, 115, 8, .96, .29}, {400, 11, .8, 24, 3, .65, .38}, {191, 22, .55, 74, 8, .76, .43}, {191, 7, .8, 16, 2, .47, .44},
		{457, 27, .65, 132, 6, 1.13, .21}, {457, 5, .8, 10, 2, .47, .33}, {182, 23, .6, 71, 7, .79, .42},
	}
	table2 = []found{
		{396, 8, .95, 18, 7, .16, .82}, {396, 13, .85, 31, 4, .67, .40}, {295, 12, .95, 17, 4, .60, .45}, {295, 20, .8, 48, 6, .90, .31},
	}
	table3 = []found{
		{25, 2, 0, 0, 7, .11, .63}, {37, 3, 0, 0, 6, .27, .43}, {55, 4, 0, 0, 12, .22, .64}, {78, 5, 0, 0, 7, .45, .35},
		{100, 10, 0, 0, 33, .58, .42}, {160, 24, 0, 0, 56, .57, .59}, {244, 26, 0, 0, 85, .59, .58},
	}
)

// published is a share of words on topic, read off figures 5 and 6, and what it was measured at.
type published struct {
	words, inlinks int
	target, group  float64
}

var (
	figure5 = []published{{3, 100, .83, .76}, {5, 100, .78, .65}, {7, 100, .75, .61}, {10, 100, .71, .55}, {15, 100, .48, .33}}
	figure6 = []published{{7, 100, .77, .62}, {7, 50, .71, .61}, {7, 30, .71, .59}, {7, 20, .70, .58}, {7, 10, .66, .60}}
)

// publishedSeconds is the time in which the paper compared all pairs of 4,000 pages, on a Pentium III (§6.1).
const publishedSeconds = 38
