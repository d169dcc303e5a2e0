package tidepool.bench.race;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Does nothing, or whatever a test gives its hands to do. */
final class FakeContender implements Contender {
    /** Counts its calls. */
    static class FakeHand implements ClientDriver {
        int drawn;
        int warmUps;
        boolean closed;

        @Override
        public void warmUp() {
            warmUps++;
        }

        @Override
        public int draw() {
            return drawn++ % 2;
        }

        @Override
        public TxnEnd run() {
            return drawn % 2 == 0 ? TxnEnd.ROLLED_BACK : TxnEnd.COMMITTED;
        }

        @Override
        public int attempts() {
            return 1;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    final List<FakeHand> hands = Collections.synchronizedList(new ArrayList<>());
    private final IntFunction<FakeHand> maker;

    FakeContender(IntFunction<FakeHand> maker) {
        this.maker = maker;
    }

    @Override
    public String settings() {
        return "fake";
    }

    @Override
    public List<String> types() {
        return List.of("even", "odd");
    }

    @Override
    public ClientDriver hand(int number, int count, long seed) {
        FakeHand hand = maker.apply(number);
        hands.add(hand);
        return hand;
    }

    @Override
    public Map<String, Long> aborts() {
        return Map.of("conflict", 0L);
    }

    @Override
    public List<String> check() {
        return List.of();
    }

    @Override
    public void close() {}
}
