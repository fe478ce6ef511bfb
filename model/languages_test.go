package model

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/model/text"
)

// tongue makes pages of a made-up web in a language. useful and other are words of two topics, each word with two forms, of
// which sessions mostly have the first and later pages the second; common are words of both. frames are sentences with room
// for three words.
type tongue struct {
	language              text.Language
	useful, other, common []string
	frames                []string
}

var tongues = map[string]tongue{
	"Chinese": {text.English,
		strings.Fields("冰球 球员 守门员 联赛 冰场 进球 教练 赛季 球队 冠军"),
		strings.Fields("园艺 玫瑰 土壤 种子 花盆 浇水 肥料 温室 果树 蔬菜"),
		strings.Fields("今天 城市 朋友 新闻 历史 照片 电话 时间 地图 学校"),
		[]string{"我们昨天看见%s和%s，也谈到了%s。", "在这里%s比%s更重要，因为%s很多。", "关于%s的文章说，%s与%s有关。"}},
	"Japanese": {text.English,
		strings.Fields("アイスホッケー 選手 守備 リンク 得点 監督 試合 優勝 氷上 リーグ"),
		strings.Fields("園芸 バラ 土壌 種子 植木鉢 水やり 肥料 温室 果樹 野菜"),
		strings.Fields("今日 都市 友人 新聞 歴史 写真 電話 時間 地図 学校"),
		[]string{"昨日は%sと%sを見て、%sについて話しました。", "ここでは%sが%sより大切です。%sも多いからです。", "%sの記事によると、%sは%sに関係がある。"}},
	"Russian": {text.Russian,
		strings.Fields("хоккеист/хоккеистами вратарь/вратаря команда/командой гол/голов тренер/тренером сезон/сезоне клюшка/клюшками турнир/турниров победа/победой каток/катке"),
		strings.Fields("роза/розами сад/садов почва/почвой семена/семенами горшок/горшков теплица/теплице удобрение/удобрений яблоня/яблони овощ/овощами лейка/лейкой"),
		strings.Fields("город/города друг/друзья новость/новости история/истории карта/карты школа/школы время/времени"),
		[]string{"Вчера мы видели %s и %s, а потом говорили о том, что такое %s.", "Здесь %s важнее, чем %s, потому что %s есть у всех.", "В этой статье говорится, как %s и %s связаны с тем, что %s было раньше."}},
	"German": {text.German,
		strings.Fields("Spieler/Spielern Torwart/Torwarts Mannschaft/Mannschaften Schläger/Schlägern Trainer/Trainers Saison/Saisonen Turnier/Turnieren Sieg/Siegen Stadion/Stadions Meister/Meistern"),
		strings.Fields("Rose/Rosen Boden/Bodens Samen/Samens Topf/Töpfe Dünger/Düngers Gewächshaus/Gewächshäuser Apfelbaum/Apfelbäume Gemüse/Gemüses Beet/Beete Hecke/Hecken"),
		strings.Fields("Stadt/Städte Freund/Freunde Zeitung/Zeitungen Bild/Bilder Karte/Karten Schule/Schulen Abend/Abende"),
		[]string{"Gestern haben wir %s und %s gesehen, aber dann nicht mehr über %s gesprochen.", "Hier ist %s wichtiger als %s, weil es %s auch bei den anderen gibt.", "Der Artikel über %s sagt, dass %s mit dem zu tun hat, was %s war."}},
}

// page makes a page of one of the topics. Of six words one is of the other topic and two of neither, and one of ten has the
// form that is rare at the time.
func (l *tongue) page(rng *rand.Rand, useful, later bool) string {
	own, foreign := l.other, l.useful
	if useful {
		own, foreign = foreign, own
	}
	word := func() any {
		from := own
		switch rng.IntN(6) {
		case 0:
			from = foreign
		case 1, 2:
			from = l.common
		}
		first, second, _ := strings.Cut(from[rng.IntN(len(from))], "/")
		if second != "" && later != (rng.IntN(10) == 0) {
			return second
		}
		return first
	}
	var b strings.Builder
	for range 5 {
		fmt.Fprintf(&b, l.frames[rng.IntN(len(l.frames))]+"\n", word(), word(), word())
	}
	return b.String()
}

// session is a session of 8 useful pages and 24 others that all declare English, as many templates do.
func (l *tongue) session(rng *rand.Rand) TrainingSet {
	set := TrainingSet{Topic: "Made up"}
	for i := range 32 {
		set.Pages = append(set.Pages, Page{
			URL: fmt.Sprintf("https://a.test/%d", i), Text: l.page(rng, i%4 == 0, false), Target: i%4 == 0, Declared: "en-US",
		})
		if i > 0 {
			set.Edges = append(set.Edges, [2]int{rng.IntN(i), i})
		}
	}
	return set
}

// area is the share of pairs of a useful page and another one of which the model puts the useful one first.
func area(b *Bundle, l *tongue, rng *rand.Rand) float64 {
	type judged struct {
		p      float64
		useful bool
	}
	var all []judged
	for i := range 80 {
		o, _, _ := b.ReadPage("en", l.page(rng, i%2 == 0, true))
		all = append(all, judged{o.Useful, i%2 == 0})
	}
	slices.SortFunc(all, func(a, b judged) int { return cmp.Compare(a.p, b.p) })
	sum, below := 0.0, 0.0
	for i := 0; i < len(all); {
		j, us, others := i, 0.0, 0.0
		for ; j < len(all) && all[j].p == all[i].p; j++ {
			if all[j].useful {
				us++
			} else {
				others++
			}
		}
		sum += us * (below + others/2)
		below += others
		i = j
	}
	return sum / 1600
}

// TestSessionsInOtherLanguages: a model of a session in each language orders pages that it has not seen, with other forms of
// the words, well above chance, and puts the words of a link in the language of the page that holds it.
func TestSessionsInOtherLanguages(t *testing.T) {
	for name, l := range tongues {
		rng := rand.New(rand.NewPCG(7, 8))
		b := mustTrain(t, l.session(rng), DefaultSettings())
		for i := range b.Pages {
			if got := b.LanguageOf(i); got != l.language {
				t.Fatalf("%s: page %d is read in %v", name, i, got)
			}
		}
		if err := b.Usable(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		a := area(b, &l, rng)
		if a < .85 {
			t.Errorf("%s: the area under the ROC curve is %.2f", name, a)
		}
		again, err := Decode(mustEncode(t, b))
		if err != nil {
			t.Fatal(err)
		}
		page := l.page(rng, true, true)
		if x, y := b.Observe(page), again.Observe(page); x.Useful != y.Useful || x.Similarity != y.Similarity {
			t.Errorf("%s: stored and read again, a page is read as %+v, before as %+v", name, y, x)
		}
	}
}

// TestUsable: a session is too poor when hardly any of its words is on a second page.
func TestUsable(t *testing.T) {
	if err := mustTrain(t, session(40, 1), DefaultSettings()).Usable(); err != nil {
		t.Error(err)
	}
	poor := func(words ...string) TrainingSet {
		set := TrainingSet{Topic: "Poor"}
		for i := range 8 {
			set.Pages = append(set.Pages, Page{URL: fmt.Sprintf("https://a.test/%d", i), Text: strings.Repeat(string(rune('a'+i)), 9) + " " + strings.Join(words, " "), Target: i == 0})
		}
		return set
	}
	for n, want := range []string{"no word is on", "only one word is on", ""} {
		b := mustTrain(t, poor(strings.Fields("hockey puck rink goalie skate")[:n]...), DefaultSettings())
		err := b.Usable()
		if (err == nil) != (want == "") || err != nil && (!tooFewWords(0).Is(ErrNoText) || !strings.Contains(err.Error(), want)) {
			t.Errorf("with %d words on each page: %v", n, err)
		}
	}
}
