package web

import (
	"net/http"
	"slices"
	"strings"

	"nightjar/daemon/chart"
	"nightjar/daemon/learn/trainer"
)

// trainingLine is a topic whose training is running, failed or was stopped.
type trainingLine struct {
	TopicID int64
	Topic   string
	Running bool
	Stopped bool // by the person
	Stage   string
	Percent int
	Problem string
	Key     string // of the notice when nothing is running, which can be closed
}

// notices are the sentences that a page shows after an action, by the key in the page's address.
var notices = map[string]string{
	"saved":          "Saved.",
	"settings-saved": "Saved. The window and the conditions apply at once, other changes from the next crawl on.",
	"pruned":         "The files beyond the limit were deleted from the archive.",
	"ticked":         "The start pages were saved.",
	"deleted":        "The session was deleted.",
	"training":       "The model is being trained again.",
	"stopped":        "The crawl is being stopped.",
	"paused":         "The crawl is paused. It stays paused, even after a restart, until you resume it.",
	"resumed":        "The crawl was resumed.",
	"goes-on":        "The crawl continues until its budget is used.",
	"revoked":        "The browser was disconnected.",
	"approved":       "The browser is connected.",
	"refused":        "The browser was refused.",
	"backup-started": "An automatic backup is being made. It is listed below when it is done.",
	"all-gone":       "Everything was erased.",
	"all-goes":       "Not everything could be erased yet, as the database cannot be written. The rest is erased by itself as soon as it can.",

	"copy-deleted": "The copy was deleted.",

	"night-on":       "The night is on.",
	"night-off":      "The night is off. Nothing is crawled until you switch it on or run a topic by hand.",
	"token-revoked":  "The token was revoked. The program that has it can read nothing from now on.",
	"notices-saved":  "Saved. A notice is sent when a night or a crawl has ended with new finds.",
	"notices-off":    "Saved. No notices are sent.",
	"notices-tested": "The test was sent.",

	"workers-saved":  "Saved. It applies at once.",
	"worker-paused":  "The worker is paused. It finishes its pages and gets no new ones until you resume it.",
	"worker-goes-on": "The worker gets pages again.",
	"anew":           "The next crawl of this topic begins at its start pages.", "not-anew": "The next crawl of this topic goes on where the last one stopped.",
	"worker-drains":  "The worker finishes its pages and then stops.",
	"worker-removed": "The worker was removed. It can never connect again; to get it back, invite it again.",

	"nothing-pruned": "The archive is within its limit, so nothing was deleted.",

	"strategy-undone":   "Undone. The nights will not change the strategy of this topic again; you can below.",
	"train-stopped":     "The training was stopped.",
	"combined":          "The topics were combined. The combined topic is trained on all their sessions.",
	"renamed":           "The topic was renamed.",
	"milestone-named":   "The page is now a milestone.",
	"milestone-removed": "The page is no longer a milestone.",
	"milestone-renamed": "The milestone was renamed.",
	"milestone-merged":  "A milestone with this name already existed, so the two were merged. Undo separates them again.",
	"milestone-deleted": "The milestone was deleted. Its pages stay.",
	"milestone-undone":  "Undone.",

	"link-taken": "Taken back.",
	"link-said":  "It looks useful again.",

	"session-named":       "The session was renamed.",
	"sessions-moved":      "Moved to the topic. Models that learn from it are trained again.",
	"sessions-moved-all":  "Moved. The topic that they were in has no session left. Its models and finds stay, but it is not crawled any more.",
	"sessions-merged-all": "The sessions were merged. The other topic has no session left. Its models and finds stay, but it is not crawled any more.",
	"session-split":       "The session was split. This is the second part.",
	"sessions-merged":     "The sessions were merged.",
	"visits-deleted":      "Deleted. Models that had learned from the session are trained again.",
	"topic-deleted":       "The topic was deleted.",
	"undone":              "Undone.",
	"site-allowed":        "Crawls may request the site again, and its finds are shown.",

	"map-saved":   "Saved.",
	"map-look":    "Saved. Look at what is sent, and to whom, before you go on.",
	"map-stopped": "Stopped. What was done is kept: you can go on later.",
	"map-enough":  "The crawl ends. The map is drawn from the pages there are.",
	"map-deleted": "The map was deleted. Its crawl and your marks are kept.",
	"map-topic":   "The map is a topic now. Tick its start pages here: then nights crawl it, too.",
	"map-like":    "There is a topic with the examples of this community now. It is trained, then a night can crawl from them: switch it on here.",

	"ontology-made":    "The ontology is stored. Its terms can be changed here.",
	"ontology-named":   "Renamed.",
	"ontology-deleted": "The ontology was deleted, with the groups of pages that were made with it.",
	"wordnet-added":    "WordNet was added. Words are compared by their meaning from now on.",
	"wordnet-stopped":  "The download was stopped. Nothing was changed.",
	"wordnet-removed":  "The WordNet that was added was removed.",

	"grouping-stopped": "Stopped. Group the pages again when you want to.",
	"grouping-deleted": "The grouping was deleted. The pages, and what links say about them, are kept.",
	"set-saved":        "Saved. Write its name after an @ to use it.",
	"set-forgotten":    "The set was forgotten. The pages in it are kept.",

	"restored":         "The backup was restored. The previous data is kept; its folder is named below.",
	"restore-canceled": "Nothing was changed.",
	"restore-next":     "The backup is checked. Start Nightjar again to complete the restore.",

	"dissolved": "The combined topic was dissolved. The topics it was made of did not change.",
}

// fill adds the parts of the layout that every page shows.
func (s *Server) fill(r *http.Request, l *layout) error {
	ctx := r.Context()
	l.Troubles = s.Troubles.Now()
	o, err := s.Store.Overview(ctx)
	if err != nil {
		return err
	}
	l.NewFinds = o.NewFinds
	closed, err := s.dismissed(ctx)
	if err != nil {
		return err
	}
	topics, err := s.Store.TopicViews(ctx)
	if err != nil {
		return err
	}
	for _, t := range topics {
		if line, ok := s.training(t.ID, t.Name); ok && !slices.Contains(closed, line.Key) {
			l.Training = append(l.Training, line)
		}
	}
	switch p := s.Ingest.Pairing(); {
	case p.Pending != nil:
		l.PairState = "asking"
	case p.Open:
		l.PairState = "open"
	}
	if l.Notice == "" {
		l.Notice = notices[r.URL.Query().Get("done")]
		if l.Undo = s.undoOffer(r); l.Undo != 0 {
			if l.Left, err = s.Store.LeftTopics(ctx, l.Undo); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Server) training(topic int64, name string) (trainingLine, bool) {
	st := s.Trainer.Status(topic)
	if !st.Running && st.Problem == "" {
		return trainingLine{}, false
	}
	line := trainingLine{TopicID: topic, Topic: name, Running: st.Running, Stopped: st.Stage == "stopped",
		Stage: trainer.InWords(st.Stage), Problem: sentence(st.Problem)}
	if !line.Running {
		line.Key = noticeKey("training", name, line.Problem)
	}
	if st.Total > 0 {
		line.Percent = min(100, 100*st.Done/st.Total)
	}
	return line, true
}

// navItem is one entry of the navigation.
type navItem struct {
	Href, Name string
	Current    bool
	Counted    bool
	Count      int
}

// nav makes the entry of the pages of some sections, which are separated by spaces.
func nav(v view, sections, href, name string) navItem {
	item := navItem{Href: href, Name: name, Current: slices.Contains(strings.Fields(sections), v.Layout.Section)}
	if sections == "finds" {
		item.Counted, item.Count = true, v.Layout.NewFinds
	}
	return item
}

// graphView is a graph with its title.
type graphView struct {
	ID      string
	Class   string
	Title   string
	Picture chart.Picture
}
