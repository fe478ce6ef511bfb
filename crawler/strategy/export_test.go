package strategy

// Bundle is the tests' model, for those that stand outside of the package.
var Bundle = bundle
