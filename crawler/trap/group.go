package trap

// limits are shares of the budget.
type limits struct {
	allowance [levels]float64 // pages without anything new that a group may bring before it is closed
	idle      int             // pages of a host with new text and nothing relevant
}

// Without a budget, the limits are those of usual.
const usual = 2000

// mostIdle bounds how much longer than others a group may be idle that brought relevant pages, in times.
const mostIdle = 4

// limitsOf reckons the limits of a budget of pages.
func limitsOf(pages int) limits {
	if pages <= 0 {
		pages = usual
	}
	a := min(max(float64(pages)/500, 1), 12)
	return limits{
		allowance: [levels]float64{byPattern: a, byQuery: a, byFolder: a, byHost: 1.5 * a, byParent: 1.5 * a},
		idle:      max(40, pages/50),
	}
}

// group is what the addresses of one group cost and brought.
type group struct {
	balance float64 // of credit and waste; at most the allowance
	wasted  float64 // pages without anything new
	good    float64 // pages with something new
	idle    int     // pages since the last relevant one that was found here or from here
	found   int     // relevant pages
}

// Credit that a page with something new brings: a group is closed when it wastes more than two of three pages.
// The first page of a group is new to whoever comes, and says less.
const (
	gain      = 2
	firstGain = 1
)

// remembered is how much a group may waste in a row for each page with something new that it ever brought, when that is
// more than the allowance: a folder of a hundred good pages is not closed by three bad ones. What is wide holds narrow
// groups that can be closed by themselves, and is remembered for longer.
var remembered = [levels]float64{byPattern: .25, byQuery: .25, byFolder: .5, byHost: .5, byParent: .5}

func (c *group) patience(l limits, at level) float64 { return l.allowance[at] + c.balance }

// book takes in one page that brought something, or waste when it did not.
func (c *group) book(l limits, at level, credit, relevant bool, waste float64) {
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
		c.balance = min(c.balance+more, max(l.allowance[at], remembered[at]*c.good))
		return
	}
	c.balance -= waste
	c.wasted += waste
}

// refund gives back two thirds of what a narrower group cost, once that is closed.
func (c *group) refund(wasted float64) { c.balance += wasted * 2 / 3 }

// closed says why a group is closed, "" when it is not. start says that a start page is in it.
func (c *group) closed(l limits, at level, start bool) string {
	if at == byHost && start {
		return ""
	}
	wide := at == byHost || at == byParent && !start
	if c.patience(l, at) < 0 {
		return [levels]string{
			byPattern: "addresses of this pattern bring nothing new",
			byQuery:   "asking this page for more brings nothing new",
			byFolder:  "this folder brings nothing new",
			byHost:    "this host brings nothing new",
			byParent:  "the hosts beside this one bring nothing new",
		}[at]
	}
	// What brought something before may be idle for longer: one find in fifty pages is worth the asking.
	if wide && c.idle > l.idle*(1+min(c.found, mostIdle)) {
		return "this host had its share of the budget and brought nothing relevant"
	}
	return ""
}
