// What someone may have meant who wrote an unknown word.

package exporter

import "strings"

// didYouMean returns " (did you mean x?)" for the known word nearest to word,
// or for those that begin with it; nothing if none is near.
func didYouMean(word string, known []string) string {
	var longer []string
	nearest, least := "", 3 // further away it is a guess
	for _, k := range known {
		if strings.HasPrefix(k, word+"_") {
			longer = append(longer, k)
		}
		if d := distance(word, k); d < least {
			nearest, least = k, d
		}
	}
	switch {
	case len(longer) > 0:
		return " (did you mean " + strings.Join(longer, " or ") + "?)"
	case nearest != "":
		return " (did you mean " + nearest + "?)"
	}
	return ""
}

// distance is Levenshtein's: how many letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
