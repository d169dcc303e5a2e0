package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;

/** Tests of {@link TxnKeyIndex}. */
class TxnKeyIndexTest {
    private static final int MAX_KEYS = 640;

    /** Also when it is full, and after it was cleared many times. */
    @Test
    void agreesWithAMap() {
        Randomness random = new Randomness(5);
        TxnKeyIndex index = new TxnKeyIndex(MAX_KEYS);
        for (int round = 0; round < 200; round++) {
            index.clear();
            Map<Long, Integer> model = new HashMap<>();
            long span = round % 2 == 0 ? 300 : 1L << 40;
            for (int i = 0; i < MAX_KEYS; i++) {
                long key = random.nextLong(span);
                int tag = random.nextInt(2);
                assertEquals(model.getOrDefault(2 * key + tag, -1), index.find(key, tag));
                index.put(key, tag, i);
                model.put(2 * key + tag, i);
            }
            model.forEach((key, number) -> assertEquals(number, index.find(key >> 1, (int) (key & 1))));
        }
    }
}
