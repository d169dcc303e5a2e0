package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The additional contract of a key store whose clerks have several operations under way. */
public abstract class PipelinedKeyStoreContract extends KeyStoreContract {
    /** Operations posted by one clerk happen in that order: each read posted after an update sees it. */
    @Test
    void postedOperationsAnswerInOrder() {
        try (KeyStore store = store()) {
            PipelinedClerk clerk = (PipelinedClerk) store.clerk();
            byte[] value = new byte[BYTES];
            int window = clerk.outstanding();
            assertTrue(window > 1);
            for (long first = 0; first + window <= RECORDS; first += window) {
                for (int i = 0; i < window; i++) {
                    Stamp.write(value, first + i, 5);
                    if (i % 2 == 0) clerk.postUpdate(first + i, value);
                    else clerk.postRead(first + i - 1);
                }
                for (int i = 0; i < window; i++) {
                    if (i % 2 == 0) {
                        clerk.takeUpdate();
                        continue;
                    }
                    assertTrue(clerk.takeRead(value));
                    assertEquals(5, Stamp.read(value, first + i - 1));
                }
            }
        }
    }
}
