package command

import (
	"flag"
	"slices"
	"testing"
)

func TestListFlag(t *testing.T) {
	for _, test := range []struct {
		urls bool
		args []string
		want []string
	}{
		{false, []string{"--x", "a,b", "--x", "c"}, []string{"a", "b", "c"}},
		{false, []string{"--x=a,,b,"}, []string{"a", "b"}},
		{true, []string{"--x", "http://a.test/1,2,https://b.test/"}, []string{"http://a.test/1,2", "https://b.test/"}},
		{true, []string{"--x", "http://a.test/?q=1,http://b.test/"}, []string{"http://a.test/?q=1", "http://b.test/"}},
	} {
		var got []string
		_, err := Parse("test", test.args, func(f *flag.FlagSet) { f.Var(List{Values: &got, URLs: test.urls}, "x", "") })
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: got %q, %v, want %q", test.args, got, err, test.want)
		}
	}
}

func TestFlagsMayFollowArguments(t *testing.T) {
	var on bool
	rest, err := Parse("test", []string{"one", "--on", "two"}, func(f *flag.FlagSet) { f.BoolVar(&on, "on", false, "") })
	if err != nil || !on || !slices.Equal(rest, []string{"one", "two"}) {
		t.Errorf("got %v, %v, %v", rest, on, err)
	}
}
