package strategy

// BundleFor is the tests' model of a strategy, for those that stand outside of the package.
var BundleFor = bundleFor

// Variants lists the names of the strategies with other options than their usual ones.
func Variants() []string { return namesOf(variants) }
