package strategy

// Bundle is the tests' model, for those that stand outside of the package.
var Bundle = bundle

// Variants lists the names of the strategies with other options than their usual ones.
func Variants() []string { return namesOf(variants) }
