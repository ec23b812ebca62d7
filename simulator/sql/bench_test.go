package sql

import (
	"io"
	"testing"
)

// benchmark fetches a query to its end, and reports the time of a row.
func benchmark(b *testing.B, rows int, text string, binds ...Value) {
	statement, err := Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		result, err := statement.Open(testEnvironment{}, binds)
		if err != nil {
			b.Fatal(err)
		}
		count := 0
		for ; ; count++ {
			if _, err := result.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		if count != rows {
			b.Fatalf("%d rows, want %d", count, rows)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}

// BenchmarkFetch runs the fetch probe's own statement.
func BenchmarkFetch(b *testing.B) {
	benchmark(b, 100_000, "select level, standard_hash(:1 || level || 'a', 'SHA512'), standard_hash(:2 || level || 'b', 'SHA512'), "+
		"standard_hash(:3 || level || 'c', 'SHA512') from dual connect by level <= :4",
		"8c1f0b6e2d", "8c1f0b6e2d", "8c1f0b6e2d", Decimal("100000"))
}

func BenchmarkBenchTable(b *testing.B) {
	benchmark(b, 100_000, "select id, payload from sdu_bench where rownum <= 100000")
}

func BenchmarkOneBenchRow(b *testing.B) {
	benchmark(b, 1, "select id, payload from sdu_bench where id = :1", Decimal("250000"))
}
