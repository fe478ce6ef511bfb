package pages

import (
	"errors"
	"net/http"
	"slices"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
	"nightjar/daemon/web/frame"
	"nightjar/model"
)

// linkQueries are what would be sent to a search instance: a question for each of the model's first useful pages whose address is no
// secret.
func linkQueries(b *model.Bundle) (queries, pages []string) {
	for _, p := range b.Pages {
		if p.Target && len(pages) < trainingset.MaxLinkers && !weburl.Secret(p.URL) {
			queries, pages = append(queries, trainingset.LinkQuery(p.URL)), append(pages, p.URL)
		}
	}
	return queries, pages
}

// handleLinkers asks the instance that the person named who links to useful pages. The answers become start pages that are not ticked:
// nothing is fetched before the person ticks one, and a page counts for the model only when a night has seen its link.
func (s *server) handleLinkers(w http.ResponseWriter, r *http.Request, topic topics.Topic) error {
	ctx, erasures := r.Context(), s.Store.Erasures()
	instance, err := trainingset.NewSearXNG(r.PostForm.Get("instance"), s.Store, 0)
	if err != nil {
		return frame.At("instance", frame.BadInput(err.Error()))
	}
	m, err := models.Latest(ctx, s.Store.DB, topic.ID)
	if err != nil {
		return err
	}
	b, err := m.Bundle()
	if err != nil {
		return err
	}
	_, pages := linkQueries(b)
	urls, err := instance.Linkers(ctx, pages)
	if refusal, is := errors.AsType[*trainingset.Refusal](err); is {
		return frame.At("instance", frame.BadInput(refusal.Error()))
	}
	if err != nil {
		return err
	}
	settings, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	urls = slices.DeleteFunc(urls, func(url string) bool {
		return slices.ContainsFunc(settings.NeverRecord, func(host string) bool { return store.OnHost(url, host) })
	})
	if len(urls) == 0 {
		return frame.At("instance", frame.BadInput("The instance knows no page that links to them."))
	}
	if err := startpages.Propose(ctx, s.Store.DB, topic.ID, urls, erasures); err != nil {
		return err
	}
	return frame.SeeOther(w, r, frame.AddressOf("/sessions", "topic", frame.IdText(topic.ID), "done", "linkers"))
}
