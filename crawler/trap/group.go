package trap

// limits depend on the budget.
type limits struct {
	allowance [levels]float64 // pages without anything new that a group may have before it is closed
	idle      [levels]int     // pages with new text but nothing relevant that a host, or those beside it, may have
	barren    int             // pages without a find that a family may have that grows like a trap
	endless   int             // pages that a family may have that seems to have no end
}

// defaultPages is the budget that sets the limits if the real one is unknown.
const defaultPages = 2000

// maxIdleFactor bounds how many times the idle limit is added for relevant pages.
const maxIdleFactor = 4

// Fewer pages do not show how a family grows.
const (
	leastBarren  = 16
	leastEndless = 24
)

// limitsOf calculates the limits for a budget of pages.
func limitsOf(pages int) limits {
	if pages <= 0 {
		pages = defaultPages
	}
	a := min(max(float64(pages)/500, min(float64(pages)/200, 2), 1), 12)
	idle := max(40, pages/5)
	return limits{
		allowance: [levels]float64{byPattern: a, byQuery: a, byFolder: a, byHost: 1.5 * a, byParent: 1.5 * a},
		idle:      [levels]int{byHost: idle, byParent: 2 * idle},
		barren:    max(leastBarren, min(pages/8, 40), pages/100),
		endless:   max(leastEndless, pages*3/20),
	}
}

// group is the cost and the yield of the addresses of one group.
type group struct {
	balance float64 // credit minus waste
	wasted  float64 // pages without anything new
	good    float64 // pages with something new
	idle    int     // pages since the last relevant one in the group or linked from it
	found   int     // relevant pages
	growth  growth  // of the group as a family
}

// Credit for a page with something new: a group is closed when more than two of three pages are waste. The first page of
// a group is always new, so it counts less.
const (
	gain      = 2
	firstGain = 1
)

// earnedWaste times the number of pages with something new is how many pages a group may waste in a row, if that is more
// than the allowance: three bad pages do not close a folder of a hundred good ones. It is higher for wide groups, because
// their narrow groups can be closed first.
var earnedWaste = [levels]float64{byPattern: .25, byQuery: .25, byFolder: .5, byHost: .5, byParent: .5}

func (c *group) remaining(l limits, at level) float64 { return l.allowance[at] + c.balance }

// update records one page, which has something new if credit is set, and otherwise costs waste.
func (c *group) update(l limits, at level, credit, relevant bool, waste float64) {
	c.idle++
	if relevant {
		c.idle = 0
		c.found++
	}
	if credit {
		more := float64(gain)
		if c.good++; c.good == 1 {
			more = firstGain
		}
		c.balance = min(c.balance+more, max(l.allowance[at], earnedWaste[at]*c.good))
		return
	}
	c.balance -= waste
	c.wasted += waste
}

// refund returns two thirds of the cost of a narrower group, once that is closed.
func (c *group) refund(wasted float64) { c.balance += wasted * 2 / 3 }

// closed says why a group is closed, "" if it is not. start says that it contains a start page.
func (c *group) closed(l limits, at level, start bool) string {
	if at == byHost && start {
		return ""
	}
	wide := at == byHost || at == byParent && !start
	if c.remaining(l, at) < 0 {
		return [levels]string{
			byPattern: "addresses with this pattern yield nothing new",
			byQuery:   "more parameters of this page yield nothing new",
			byFolder:  "this folder yields nothing new",
			byHost:    "this host yields nothing new",
			byParent:  "the subdomains beside this one yield nothing new",
		}[at]
	}
	if why := c.growth.shut(l); why != "" && !start {
		return why
	}
	// A group with relevant pages may be idle for longer: one find in fifty pages is worth the cost.
	if wide && c.idle > l.idle[at]*(1+min(c.found, maxIdleFactor)) {
		return "this host used its share of the budget and yielded nothing relevant"
	}
	return ""
}
