package tidepool.node.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text format for scrapers, checked by a strict parser; and the strictness of that parser. */
class PrometheusTextTest {
    @Test
    void whatIsWrittenParses() {
        String page = new PrometheusText()
                .counter("tidepool_rounds_total", "Rounds, a \\ and\na second line.")
                .sample(9e15, "pool", "a \"quoted\\\" name\n")
                .sample(3, "pool", "b", "node", "0")
                .gauge("tidepool_memory_bytes", "Bytes.")
                .sample(0.25)
                .text();

        Map<String, Double> expected = Map.of(
                "tidepool_rounds_total{pool=\"a \\\"quoted\\\\\\\" name\\n\"}", 9e15,
                "tidepool_rounds_total{pool=\"b\",node=\"0\"}", 3.0,
                "tidepool_memory_bytes", 0.25);
        assertEquals(expected, StrictPrometheus.parse(page));
    }

    @Test
    void numbersParseWhateverTheyAre() {
        for (double value : new double[] {0, -1, 1e-300, 1e300, 1L << 53, Double.NaN, 1 / 0.0, -1 / 0.0}) {
            String page = new PrometheusText().gauge("g", "x").sample(value).text();
            assertEquals(value, StrictPrometheus.parse(page).get("g"));
        }
    }

    @Test
    void aBadNameIsRefusedWhereItIsWritten() {
        PrometheusText text = new PrometheusText().gauge("g", "x");
        assertThrows(IllegalArgumentException.class, () -> text.gauge("g", "again"));
        assertThrows(IllegalArgumentException.class, () -> text.gauge("g-h", "x"));
        assertThrows(IllegalArgumentException.class, () -> text.counter("g_seconds", "no _total"));
        assertThrows(IllegalArgumentException.class, () -> text.sample(1, "le ss", "x"));
    }

    /** A parser that accepts everything would prove nothing. */
    @Test
    void theParserForgivesNothing() {
        String head = "# HELP g x\n# TYPE g gauge\n";
        List<String> wrong = List.of(
                head + "g 1",
                head + "g 1\n\n",
                head + "g 1\ng 2\n",
                head + "g one\n",
                head + "g 0x1p3\n",
                head + "g 1d\n",
                head + "h 1\n",
                head + "g{a=\"b} 1\n",
                head + "g{a=b} 1\n",
                head + "g{} 1\n",
                head + "g  1\n",
                head + "g 1\n" + head,
                "g 1\n",
                "# TYPE g gauge\n# HELP g x\ng 1\n",
                "# HELP g x\n# TYPE g counter\ng 1\n",
                "# HELP g_total x\n# TYPE g_total counter\ng_total -1\n");
        for (String page : wrong)
            assertThrows(IllegalArgumentException.class, () -> StrictPrometheus.parse(page), () -> page);
        assertEquals(Map.of("g", 1.0), StrictPrometheus.parse(head + "g 1\n"));
    }
}
