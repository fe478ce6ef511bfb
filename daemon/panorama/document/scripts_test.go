package document

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// scripts has works in other scripts, each with styles of its language: AUTHORS, TITLE, VENUE.
var scripts = map[string]struct {
	names  [2][]string // of two authors, as the styles write them
	titles []string
	styles []string
}{
	"Russian": {
		[2][]string{{"Венн О. А.", "Келл И."}, {"Венн, О. А.", "Келл, И."}},
		[]string{"Медленные приливы у старых стен гавани", "О сове и мельнице: опыт наблюдения", "Рост малых портов северного побережья"},
		[]string{"[1] A0, A1 TITLE // Журнал приливов. 2011. Т. 12, № 1. С. 4–19.", "1. A2 TITLE / О. А. Венн, И. Келл // Журнал приливов. – 2011. – Т. 12. – С. 4–19.",
			"A0 TITLE [Электронный ресурс] // Приливы. 2011. URL: https://mill.example/x (дата обращения: 03.05.2012).", "A0, A1 и др. TITLE. – М.: Наука, 2011. – 200 с.",
			"A2, A3 (2011). TITLE. Журнал приливов, 12(1), 4–19.", "A0, A1 TITLE. М.: Наука, 2011. 200 с."},
	},
	"Greek": {
		[2][]string{{"Βενν Ο.", "Κελ Ι."}, {"Βενν, Ο.", "Κελ, Ι."}},
		[]string{"Αργές παλίρροιες γύρω από παλιά τείχη", "Η κουκουβάγια και ο μύλος: μια μελέτη"},
		[]string{"A2, & A3 (2011). TITLE. Περιοδικό Παλιρροιών, 12(1), 4–19.", "[1] A0, A1 TITLE. Περιοδικό Παλιρροιών. 2011;12(1):4-19.", "A2 και A3, «TITLE», Περιοδικό Παλιρροιών 12 (2011), 4–19."},
	},
	"Chinese": {
		[2][]string{{"王伟", "李娜娜"}, {"欧阳修", "陈敏"}},
		[]string{"旧港口城墙周围的慢潮", "基于深度学习的潮汐观测方法研究", "灯塔、磨坊与猫头鹰：一部简史", "CO2浓度对池塘的影响"},
		[]string{"[1] A0, A1. TITLE[J]. 潮汐学报, 2011, 12(1): 4-19.", "[1]A0,A1,等.TITLE[J].潮汐学报,2011,12(1):4-19.", "［1］A2，A3．TITLE［J］．潮汐学报，2011，12（1）：4－19．",
			"[1] A2. TITLE[M]. 北京: 科学出版社, 2011: 4-19.", "[1] A0, A1. TITLE[C]//陈敏. 潮汐会议论文集. 北京: 科学出版社, 2011: 4-19.", "[1] A0. TITLE[D]. 北京: 北京大学, 2011.",
			"A0、A1：《TITLE》，《潮汐学报》2011年第1期，第4-19页。", "A0：“TITLE”，《潮汐学报》，2011年第1期，第4—19页。", "A0、A1（2011）。TITLE。潮汐学报，12（1），4-19。", "A2（2011）．TITLE．潮汐学报，12（1），4－19．"},
	},
	"Japanese": {
		[2][]string{{"山田太郎", "鈴木花子"}, {"佐藤 一", "高橋 めぐみ"}},
		[]string{"古い港の壁の周りの遅い潮汐", "フクロウと水車小屋の短い歴史について", "深層学習による潮位の予測手法"},
		[]string{"[1] A0, A1: TITLE, 潮汐学会誌, Vol. 12, No. 1, pp. 4–19 (2011).", "A0・A1（2011）「TITLE」『潮汐学会誌』12(1), 4-19頁", "1) A2, A3: TITLE. 潮汐会誌 12: 4-19, 2011.",
			"A0，A1：TITLE，潮汐学会誌，第12巻，第1号，pp.4-19，2011．", "A2 (2011). TITLE. 潮汐学会誌, 12(1), 4–19.", "[1] A0, A1, “TITLE,” 潮汐学会誌, vol. 12, no. 1, pp. 4–19, 2011.", "A0. 2011. TITLE. 潮汐学会誌 12: 4–19."},
	},
	"Korean": {
		[2][]string{{"김철수", "이영희"}, {"박민", "최 수진"}},
		[]string{"오래된 항구 벽 주변의 느린 조수", "부엉이와 물레방아의 짧은 역사", "딥러닝을 이용한 조위 예측 방법"},
		[]string{"A0, A1 (2011). TITLE. 조수학회지, 12(1), 4-19.", "[1] A0, A1, “TITLE,” 조수학회지, 제12권, 제1호, pp. 4-19, 2011.", "A2·A3, 「TITLE」, 『조수학회지』 12(1), 2011, 4-19쪽.", "[1] A0, A1. TITLE. 조수학회지. 2011;12(1):4-19.", "A0, TITLE, 조수학회지, 제12권 제1호, 2011, 4-19쪽."},
	},
	"Arabic": {
		[2][]string{{"فين، أورلا", "كيل، إيدا"}, {"أورلا فين", "إيدا كيل"}},
		[]string{"المد البطيء حول جدران الميناء القديمة", "تاريخ قصير للمصابيح والأجراس في الشمال"},
		[]string{"A0. (2011). TITLE. مجلة المد والجزر، 12(1)، 4-19.", "A2، TITLE، مجلة المد والجزر، المجلد 12، 2011، ص 4-19.", "A2 وآخرون. TITLE. مجلة المد والجزر. 2011؛12(1):4-19.", "A2، A3. \"TITLE\". مجلة المد والجزر، 12، 2011.", "1. A2، «TITLE»، مجلة المد والجزر، 2011."},
	},
	"Hebrew": {
		[2][]string{{"ון, אורלה", "קל, אידה"}, {"ון, א׳", "קל, א׳"}},
		[]string{"גאות איטית סביב חומות הנמל הישנות", "היסטוריה קצרה של מנורות ופעמונים"},
		[]string{"A0 (2011). TITLE. כתב עת לגאות, 12(1), 4-19.", "A0. TITLE. כתב עת לגאות, 12, 2011, עמ׳ 4-19."},
	},
}

// TestScripts reads entries in other scripts with their punctuation: the title must be as it is printed.
func TestScripts(t *testing.T) {
	for name, c := range scripts {
		n, all := 0, 0
		for _, style := range c.styles {
			for _, title := range c.titles {
				one := strings.NewReplacer("A0", c.names[0][0], "A1", c.names[0][1], "A2", c.names[1][0], "A3", c.names[1][1], "TITLE", title).Replace(style)
				got, _ := parseEntry(one)
				if all++; got.Title == title && got.Year == 2011 {
					n++
				} else {
					t.Logf("%s\n\tread %q %d", one, got.Title, got.Year)
				}
			}
		}
		t.Logf("%s: %d of %d", name, n, all)
		if n != all {
			t.Errorf("%s: %d of %d titles as printed", name, n, all)
		}
	}
}

// TestHeadings: a list of references is found below its heading in the languages of the entries.
func TestHeadings(t *testing.T) {
	for _, heading := range []string{"References", "参考文献", "【参考文献】", "參考文獻", "引用文献", "참고문헌", "المراجع", "ביבליוגרפיה", "Список литературы", "Литература", "Βιβλιογραφία", "Kaynakça", "6. Referências"} {
		d, err := Read(t.Context(), []byte("Owls\n\nA text of owls.\n\n"+heading+"\n\n[1] VENN O. Owls above the mill[J]. Mills, 2011, 12(1): 4-19.\n\n[2] KELL I. Mills below the owls[M]. London: Mill Press, 2012.\n"), Options{})
		if err != nil || !slices.Equal(titlesOf(d), []string{"Owls above the mill", "Mills below the owls"}) {
			t.Errorf("%s: %v %+v", heading, err, d)
		}
	}
}

// TestLayouts: entries of all styles are kept apart in the layouts of a text, wrapped or not.
func TestLayouts(t *testing.T) {
	layouts := map[string]struct{ first, next, between string }{
		"blank lines": {"", "", "\n"}, "hanging": {"", "    ", ""}, "labels": {"[%d] ", "    ", ""}, "numbers": {"%d. ", "", ""}, "plain": {"", "", ""},
	}
	for name, l := range layouts {
		right, all := 0, 0
		for style, print := range styles {
			r := rand.New(rand.NewPCG(7, 7))
			var want []string
			var b strings.Builder
			b.WriteString("Owls\n\nReferences\n\n")
			for i := range 12 {
				w := randomWork(r)
				if slices.Contains(want, w.title) {
					continue
				}
				want = append(want, w.title)
				s := label.ReplaceAllString(print(w), "")
				if first := l.first; strings.Contains(first, "%d") {
					s = fmt.Sprintf(first, i+1) + s
				}
				b.WriteString(wrap(s, 78, l.next) + "\n" + l.between)
			}
			d := &Document{Kind: Text}
			readPlain(d, b.String())
			got := titlesOf(d)
			n := 0
			for _, w := range want {
				if slices.Contains(got, w) {
					n++
				}
			}
			right, all = right+n, all+len(want)
			if n < len(want) {
				t.Logf("%s, %s: %d of %d", name, style, n, len(want))
			}
		}
		t.Logf("%s: %d of %d", name, right, all)
		const least = 98 // of 100
		if right*100 < least*all {
			t.Errorf("%s: %d of %d", name, right, all)
		}
	}
}

func wrap(s string, width int, indent string) string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && len(line)+len(w) >= width {
			lines = append(lines, line)
			line = indent
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += w
	}
	return strings.Join(append(lines, line), "\n")
}
