package web

// homes are the pages of forms; see Frame.Homes.
var homes = map[string]string{
	"/sessions/{uuid}/milestone":        "/sessions/{uuid}?from={n}&name={n}",
	"/sessions/{uuid}/split":            "/sessions/{uuid}/edit",
	"/sessions/{uuid}/visits/delete":    "/sessions/{uuid}/edit",
	"/settings/erase":                   "/settings",
	"/settings/copies/delete":           "/settings/erasing",
	"/topics/{topic}/milestones/rename": "/model/{topic}",
	"/topics/{topic}/milestones/delete": "/model/{topic}",
	"/topics/{topic}/milestones/undo":   "/model/{topic}",
	"/topics/{topic}/train":             "/model/{topic}",
	"/topics/{topic}/train/stop":        "/model/{topic}",
	"/topics/{topic}/rename":            "/topics/{topic}/parts",
	"/topics/{topic}/dissolve":          "/topics/{topic}/parts",
	"/topics/{topic}/run":               "/crawls",
	"/workers/{name}/pause":             "/crawls",
	"/workers/{name}/go-on":             "/crawls",
	"/workers/{name}/drain":             "/crawls",
	"/settings/workers/invite":          "/settings",
	"/settings/workers/file":            "/settings",
	"/topics/{topic}/starts":            "/sessions",
	"/topics/combine":                   "/model",
	"/changes/{id}/undo":                "/sessions",
}
