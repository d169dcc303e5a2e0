package tidepool.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class CountersTest {
    private enum Verb {
        READ,
        WRITE,
        CAS
    }

    @Test
    void differenceOfSnapshotsIsWhatHappenedBetween() {
        Counters counters = Counters.of(Verb.class);
        counters.increment(Verb.READ.ordinal());
        Counters.Snapshot before = counters.snapshot();
        counters.increment(Verb.READ.ordinal());
        counters.add(Verb.CAS.ordinal(), 5);
        Counters.Snapshot between = counters.snapshot().since(before);
        counters.add(Verb.READ.ordinal(), 100);

        assertEquals("READ=1 CAS=5", between.toString());
        assertEquals(5, between.value("CAS"));
        assertEquals(1, before.value(Verb.READ.ordinal()));
        assertEquals("READ=2 CAS=5", between.plus(before).toString());
        assertEquals(102, counters.value(Verb.READ.ordinal()));
    }

    @Test
    void unknownAndDoubleNamesAreRefused() {
        Counters counters = new Counters(List.of("a", "b"));

        assertThrows(IllegalArgumentException.class, () -> counters.snapshot().value("c"));
        assertThrows(IllegalArgumentException.class, () -> new Counters(List.of("a", "a")));
        assertThrows(IllegalArgumentException.class, () -> counters.snapshot()
                .since(Counters.of(Verb.class).snapshot()));
    }
}
