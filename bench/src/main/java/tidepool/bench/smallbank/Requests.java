package tidepool.bench.smallbank;

import tidepool.base.Checks;
import tidepool.base.Randomness;

/**
 * What one thread is asked to do in one round, drawn before the clock runs, and the same for every contender. Nine in ten
 * transactions take their customers from the first 4 percent. Who is done with all of them begins again.
 *
 * <pre>
 *    63 … 60   59 … 30        29 … 0
 *    +--------+--------------+--------------+
 *    |  kind  |  customer a  |  customer b  |
 *    +--------+--------------+--------------+
 * </pre>
 */
final class Requests {
    /** A power of two. */
    static final int COUNT = 1 << 20;

    static final int MOST_CUSTOMERS = 1 << 30;

    private static final int HOT_PERCENT = 4;
    private static final int CUSTOMER_BITS = 30;

    private final long[] packed = new long[COUNT];

    Requests(long seed, int round, int thread, int customers) {
        Checks.argument(customers >= 50 && customers <= MOST_CUSTOMERS, "50 to 2^30 customers: " + customers);
        Randomness random = new Randomness(seed).fork("round " + round + " thread " + thread);
        int hot = (int) ((long) customers * HOT_PERCENT / 100);
        for (int i = 0; i < COUNT; i++) {
            Kind kind = Kind.draw(random);
            int range = random.chance(9, 10) ? hot : customers;
            int a = random.nextInt(range);
            int b = (a + 1 + random.nextInt(range - 1)) % range;
            packed[i] = ((long) kind.ordinal() << CUSTOMER_BITS | a) << CUSTOMER_BITS | b;
        }
    }

    long get(int i) {
        return packed[i & COUNT - 1];
    }

    static Kind kind(long request) {
        return Kind.of((int) (request >>> 2 * CUSTOMER_BITS));
    }

    static int a(long request) {
        return (int) (request >>> CUSTOMER_BITS) & MOST_CUSTOMERS - 1;
    }

    static int b(long request) {
        return (int) request & MOST_CUSTOMERS - 1;
    }
}
