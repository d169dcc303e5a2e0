package tidepool.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;

/**
 * Assertions of the tests of all anomalies: a history with the anomaly is refused for the right reason, and one without
 * it is not refused.
 */
abstract class AnomalyContract {
    /** Asserts that the anomaly is found and explained, and that this is the strongest level left; null for none. */
    static Verdict assertFound(AnomalyKind kind, Level left, Script script) {
        Verdict verdict = script.check();
        assertTrue(verdict.count(kind) > 0, () -> "no " + kind + " in\n" + script.text() + verdict.report());
        assertEquals(left, verdict.strongest().orElse(null), verdict::report);
        assertTrue(
                verdict.anomalies().stream()
                        .anyMatch(a -> a.kind() == kind && !a.story().isBlank()),
                verdict::report);
        return verdict;
    }

    /** The anomaly is found and no other one. */
    static Verdict assertOnly(AnomalyKind kind, Level left, Script script) {
        Verdict verdict = assertFound(kind, left, script);
        assertEquals(Map.of(kind, 1L), verdict.totals(), verdict::report);
        return verdict;
    }

    static void assertClean(Script script) {
        Verdict verdict = script.check();
        assertEquals(Map.of(), verdict.totals(), verdict::report);
        assertEquals(Level.STRICT_SERIALIZABILITY, verdict.strongest().orElse(null));
    }
}
