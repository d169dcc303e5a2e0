package tidepool.workload.measured.tatp;

import tidepool.store.schema.Keys;

/**
 * Which rows there are at the beginning and what they hold. All follows from the keys by a hash, so that a check knows
 * what was loaded without having kept it.
 *
 * @param steady whether the call forwardings are those of a run that has gone on for long, as in the artifacts: each of
 *     the three of a facility with a chance of one half, ending at any hour. Otherwise those of the specification: none to
 *     three of them, each number as likely as the others, of one to eight hours.
 */
record TatpPopulation(boolean steady) {
    private static final int ACCESS = 1;
    private static final int FACILITY = 2;
    private static final int ACTIVE = 3;
    private static final int FORWARDING = 4;
    private static final int END = 5;
    private static final int CONTENT = 6;

    /** The types of access that a subscriber has, a bit each from bit 1: one to four of them. */
    static int accessTypes(long subscriber) {
        return typesOf(subscriber, ACCESS);
    }

    /** The types of facilities that a subscriber has, a bit each from bit 1: one to four of them. */
    static int facilityTypes(long subscriber) {
        return typesOf(subscriber, FACILITY);
    }

    private static int typesOf(long subscriber, int which) {
        long drawn = Keys.hash(subscriber, which) >>> 1;
        return choose(1 + (int) (drawn % TatpKeys.TYPES), TatpKeys.TYPES, drawn / TatpKeys.TYPES) << 1;
    }

    static boolean isActive(long facilityKey) {
        return (Keys.hash(facilityKey, ACTIVE) >>> 1) % 100 < 85;
    }

    /** The starts for which calls to a facility are forwarded, a bit each from bit 0. */
    int starts(long facilityKey) {
        long drawn = Keys.hash(facilityKey, FORWARDING) >>> 1;
        if (steady) return (int) (drawn & (1 << TatpKeys.STARTS) - 1);
        int count = (int) (drawn % (TatpKeys.STARTS + 1));
        return choose(count, TatpKeys.STARTS, drawn / (TatpKeys.STARTS + 1));
    }

    /** The hour at which a forwarding that was loaded ends. */
    int end(long forwardingKey, int start) {
        long drawn = Keys.hash(forwardingKey, END) >>> 1;
        return steady
                ? 1 + (int) (drawn % 24)
                : start * TatpKeys.HOURS_PER_START + 1 + (int) (drawn % TatpKeys.HOURS_PER_START);
    }

    /** Bits for the content of a row: {@code salt} tells different contents of one key apart. */
    static long content(long key, int salt) {
        return Keys.hash(key * 31 + salt, CONTENT);
    }

    /** A set of {@code count} of the numbers 0 to {@code of - 1}, every set as likely as the others. */
    private static int choose(int count, int of, long drawn) {
        int chosen = 0;
        int needed = count;
        long rest = drawn;
        for (int i = 0; i < of; i++) {
            int left = of - i;
            if (rest % left < needed) {
                chosen |= 1 << i;
                needed--;
            }
            rest /= left;
        }
        return chosen;
    }
}
