package strategy

// BundleFor is the tests' model of a strategy, for those that stand outside of the package.
var BundleFor = bundleFor

// ThemesFor are the tests' themes of a strategy that needs some, nil for others.
var ThemesFor = themesFor

// Variants lists the names of the strategies with other options than their usual ones.
func Variants() []string { return namesOf(variants) }
