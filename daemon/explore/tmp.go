package explore

type asking struct{}
