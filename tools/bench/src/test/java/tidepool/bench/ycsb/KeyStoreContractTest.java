package tidepool.bench.ycsb;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** The contract can fail: stores with a bug planted in them do not pass. */
class KeyStoreContractTest {
    /** A store on a map that is right until its bug gets the chance. */
    private abstract static class BuggyClerk implements Clerk {
        final Clerk clerk;
        int count;

        BuggyClerk(KeyStore store) {
            clerk = store.clerk();
        }

        @Override
        public boolean read(long key, byte[] into) {
            return clerk.read(key, into);
        }

        @Override
        public void update(long key, byte[] value) {
            clerk.update(key, value);
        }

        @Override
        public long aborts() {
            return 0;
        }
    }

    private static final class Forgetful extends BuggyClerk {
        Forgetful(KeyStore store) {
            super(store);
        }

        @Override
        public void update(long key, byte[] value) {
            if (++count % 100 != 0) super.update(key, value);
        }
    }

    private static final class Torn extends BuggyClerk {
        Torn(KeyStore store) {
            super(store);
        }

        @Override
        public boolean read(long key, byte[] into) {
            byte[] half = into.clone();
            boolean found = super.read(key, into);
            if (++count % 100 == 0) System.arraycopy(half, into.length / 2, into, into.length / 2, into.length / 2);
            return found;
        }
    }

    private interface Bug {
        Clerk in(KeyStore store);
    }

    private static KeyStoreContract contract(Bug bug) {
        return new KeyStoreContract() {
            @Override
            protected KeyStore open(KeyStoreOptions options) {
                return new BuggyStore(new MapStore(options), bug);
            }

            @Override
            protected String name() {
                return "chm";
            }
        };
    }

    private record BuggyStore(KeyStore store, Bug bug) implements KeyStore {
        @Override
        public Clerk clerk() {
            return bug.in(store);
        }

        @Override
        public String settings() {
            return "buggy";
        }

        @Override
        public void close() {
            store.close();
        }
    }

    @Test
    void aLostUpdateIsNoticed() {
        KeyStoreContract contract = contract(Forgetful::new);
        var failed = assertThrows(ExecutionException.class, contract::threadsSeeWholeRecordsThatOnlyGetNewer);
        assertTrue(failed.getCause() instanceof AssertionError, failed.toString());
    }

    @Test
    void aTornReadIsNoticed() {
        KeyStoreContract contract = contract(Torn::new);
        var failed = assertThrows(IllegalStateException.class, contract::itBeginsFull);
        assertTrue(failed.getMessage().endsWith("is not whole"), failed.getMessage());
    }
}
