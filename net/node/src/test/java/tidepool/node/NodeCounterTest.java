package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.wire.RefusedCode;

/**
 * A code is counted at its place in a group of counters. A code without a counter would be counted by the first
 * counter after the group: a refusal as a round.
 */
class NodeCounterTest {
    @Test
    void everyReasonToRefuseAConnectionHasItsCounter() throws IllegalAccessException {
        assertCounted(NodeCounter.REFUSED_VERSION, "REFUSED_", codes(RefusedCode.class));
    }

    @Test
    void everyReasonToRefuseAVerbHasItsCounter() throws IllegalAccessException {
        assertCounted(NodeCounter.VERBS_REFUSED_BOUNDS, "VERBS_REFUSED_", codes(AccessCode.class));
    }

    @Test
    void everyVerbHasItsCounter() {
        Map<Integer, String> kinds = new TreeMap<>();
        for (VerbKind kind : VerbKind.values()) kinds.put(kind.ordinal() + 1, kind.name());
        assertCounted(NodeCounter.VERBS_READ, "VERBS_", kinds);
    }

    private static void assertCounted(NodeCounter first, String prefix, Map<Integer, String> codes) {
        assertTrue(codes.size() > 7, codes::toString);
        for (Map.Entry<Integer, String> code : codes.entrySet()) {
            NodeCounters counters = new NodeCounters();
            counters.countCode(first, code.getKey());
            NodeCounter expected = NodeCounter.valueOf(prefix + code.getValue());
            assertEquals(1, counters.value(expected), expected.name());
            assertEquals(expected.name().startsWith("REFUSED_") ? 1 : 0, counters.refused(), expected.name());
        }
    }

    /** Returns the constants of a class of codes, without the code of success. */
    private static Map<Integer, String> codes(Class<?> type) throws IllegalAccessException {
        Map<Integer, String> codes = new TreeMap<>();
        for (Field field : type.getFields())
            if (field.getType() == int.class && field.getInt(null) != 0) codes.put(field.getInt(null), field.getName());
        return codes;
    }
}
