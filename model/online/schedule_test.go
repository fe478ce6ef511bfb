package online

import "testing"

// TestScheduleAfterMark: the learners learn with the page after a mark, later in a long crawl less often, and only once for it.
func TestScheduleAfterMark(t *testing.T) {
	for _, tt := range []struct{ before, wait int }{{20, 1}, {99, 1}, {1230, 13}} {
		var s Schedule
		for range tt.before {
			s.Next()
		}
		s.Links = s.Pages // they have just learned
		s.Judge = s.Pages
		s.Teach()
		waited := 0
		for links, judge := false, false; !judge && waited < 50; {
			if links, judge = s.Next(); links != judge {
				t.Errorf("after %d pages they do not learn together", s.Pages)
			}
			waited++
		}
		if waited < tt.wait-1 || waited > tt.wait {
			t.Errorf("after %d pages, a mark counts after %d more, want %d", tt.before, waited, tt.wait)
		}
		if links, judge := s.Next(); links || judge {
			t.Errorf("after %d pages, they learn again from the same mark", s.Pages)
		}
	}
}
