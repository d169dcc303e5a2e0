package tidepool.node;

import java.util.LinkedHashMap;
import java.util.Map;

/** The delay of refused logins. Each failure of an address doubles the delay of the next answer, up to a limit. */
final class LoginBackoff {
    private static final int MAX_ADDRESSES = 1024;
    private static final long FIRST_NANOS = 50_000_000L;
    private static final int MAX_DOUBLINGS = 6;

    /** Time without a failure after which the delay of an address starts anew. */
    private static final long FORGOTTEN_NANOS = 60_000_000_000L;

    private record Failures(int count, long lastNanos) {}

    private final Map<String, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    /** Counts a failure and returns the delay of its answer. */
    long failed(String host, long nowNanos) {
        Failures before = byAddress.get(host);
        int count = before == null || nowNanos - before.lastNanos > FORGOTTEN_NANOS ? 0 : before.count;
        byAddress.put(host, new Failures(Math.min(count + 1, MAX_DOUBLINGS), nowNanos));
        return FIRST_NANOS << count;
    }

    int addresses() {
        return byAddress.size();
    }
}
