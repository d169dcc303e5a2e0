package tidepool.bench.race;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Does nothing, or whatever a test gives its drivers to do. */
final class FakeContender implements Contender {
    /** Counts its calls. */
    static class FakeDriver implements ClientDriver {
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

    final List<FakeDriver> drivers = Collections.synchronizedList(new ArrayList<>());
    private final IntFunction<FakeDriver> maker;

    FakeContender(IntFunction<FakeDriver> maker) {
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
    public ClientDriver driver(int number, int count, long seed) {
        FakeDriver driver = maker.apply(number);
        drivers.add(driver);
        return driver;
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
