package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The check of a record can fail. */
class StampTest {
    private static final int BYTES = 40;

    @Test
    void aWholeRecordGivesItsStampBack() {
        byte[] value = new byte[BYTES];
        Stamp.write(value, 7, 123);
        assertEquals(123, Stamp.read(value, 7));
    }

    /** Half of one update and half of another is noticed wherever it is cut, and so is another key's record. */
    @Test
    void tornAndStrangeRecordsAreNoticed() {
        byte[] one = new byte[BYTES];
        byte[] two = new byte[BYTES];
        Stamp.write(one, 7, 1);
        Stamp.write(two, 7, 2);
        for (int cut = 2 * Long.BYTES; cut < BYTES; cut += Long.BYTES) {
            byte[] torn = one.clone();
            System.arraycopy(two, cut, torn, cut, BYTES - cut);
            var told = assertThrows(IllegalStateException.class, () -> Stamp.read(torn, 7));
            assertEquals("the record of key 7 is not whole", told.getMessage());
        }
        assertThrows(IllegalStateException.class, () -> Stamp.read(one, 8));
    }

    @Test
    void aLengthThatCannotBeIsRefused() {
        for (int bytes : new int[] {0, 16, 41}) {
            var refused = assertThrows(
                    IllegalArgumentException.class, () -> new KeyStoreOptions("chm", Path.of("."), 1, 0, 0, bytes, 1));
            assertEquals("a value has a multiple of 8 bytes, at least 24: " + bytes, refused.getMessage());
        }
    }
}
