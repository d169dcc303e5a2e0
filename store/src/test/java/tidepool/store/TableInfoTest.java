package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tidepool.store.schema.Schema;

/** Where the rows of a table lie. */
class TableInfoTest {
    private static final TableInfo SPREAD = new TableInfo(1, Schema.parse("t(a:long)"), 4, 16, 4, 4, 64);

    private static Set<Integer> partitions(TableInfo table) {
        Set<Integer> found = new TreeSet<>();
        for (long key = 0; key < 1000; key++) {
            assertEquals(table.partition(key), Pointer.partition(table.home(key)), "both say the same");
            found.add(table.partition(key));
        }
        return found;
    }

    /** Whoever places tables by hand must find a row where everybody else who was told looks for it. */
    @Test
    void aTableLiesInAllPartitionsOrWithinOne() {
        assertEquals(Set.of(0, 1, 2, 3), partitions(SPREAD));
        assertEquals(Set.of(2), partitions(SPREAD.within(2)));
        for (long key = 0; key < 1000; key++)
            assertEquals(
                    Pointer.offset(SPREAD.home(key)),
                    Pointer.offset(SPREAD.within(2).home(key)),
                    "the same bucket, elsewhere");
        assertThrows(IllegalArgumentException.class, () -> SPREAD.within(4));
        assertThrows(IllegalArgumentException.class, () -> SPREAD.within(-1));
    }
}
