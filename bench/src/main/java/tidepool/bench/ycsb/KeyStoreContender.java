package tidepool.bench.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tidepool.base.Randomness;
import tidepool.bench.race.Contender;
import tidepool.bench.race.Hand;
import tidepool.workload.measured.ycsb.Ycsb;

/**
 * A key store in a race. Hands update records blindly, so nobody can count updates; but each knows what it wrote last to
 * every key, and in the end a record holds the last that one of them wrote to it.
 */
public final class KeyStoreContender implements Contender {
    private final KeyStore store;
    private final Ycsb ycsb;
    private final int records;
    private final List<KeyStoreHand> hands = new ArrayList<>();

    public KeyStoreContender(KeyStore store, Ycsb ycsb) {
        this.store = store;
        this.ycsb = ycsb;
        this.records = Math.toIntExact(ycsb.records());
    }

    @Override
    public String settings() {
        return store.settings();
    }

    @Override
    public List<String> types() {
        return ycsb.types();
    }

    @Override
    public Hand hand(int number, int count, long seed) {
        Randomness random = new Randomness(seed).fork("hand " + number);
        Clerk clerk = store.clerk();
        KeyStoreHand hand = clerk instanceof PipelinedClerk several && several.outstanding() > 1
                ? new PipelinedKeyStoreHand(several, ycsb, number, random)
                : new KeyStoreHand(clerk, ycsb, number, random);
        synchronized (hands) {
            hands.add(hand);
        }
        return hand;
    }

    @Override
    public Map<String, Long> aborts() {
        synchronized (hands) {
            return Map.of(
                    "conflict", hands.stream().mapToLong(KeyStoreHand::aborts).sum());
        }
    }

    @Override
    public List<String> check() {
        List<String> wrong = new ArrayList<>();
        Clerk clerk = store.clerk();
        byte[] value = new byte[ycsb.valueBytes()];
        synchronized (hands) {
            for (int key = 0; key < records && wrong.size() < 10; key++) {
                String finding = clerk.read(key, value) ? judge(key, value) : "is missing";
                if (finding != null) wrong.add("the record of key " + key + " " + finding);
            }
        }
        return wrong;
    }

    /** What is wrong with a record; null if it is one that may be there. */
    private String judge(int key, byte[] value) {
        long stamp;
        try {
            stamp = Stamp.read(value, key);
        } catch (IllegalStateException e) {
            return "is not whole";
        }
        boolean written = false;
        for (KeyStoreHand hand : hands) {
            if (stamp != 0 && hand.last(key) == stamp) return null;
            written |= hand.last(key) != 0;
        }
        return stamp == 0 && !written ? null : "is not the last that anybody wrote";
    }

    @Override
    public void close() {
        store.close();
    }
}
