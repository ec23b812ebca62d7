package sql

// Decimal is the value of a NUMBER as canonical text: a sign where it is negative, digits without leading zeros, and a fraction
// without trailing zeros; "0", "-12", "0.5". It has at most 40 significant digits and no exponent.
type Decimal string
