package tidepool.workload.measured.tatp;

import tidepool.schema.EightByteKeys;

/**
 * The initial rows and their contents. All follow from the keys by a hash, so a check knows the loaded contents without
 * having kept them.
 *
 * @param steady whether the call forwardings are those of a long run, as in the artifacts: each of the three of a
 * facility exists with probability one half and ends at any hour. Otherwise those of the specification: none to three
 * of them, each number with equal probability, of one to eight hours.
 */
record TatpPopulation(boolean steady) {
    private static final int ACCESS = 1;
    private static final int FACILITY = 2;
    private static final int ACTIVE = 3;
    private static final int FORWARDING = 4;
    private static final int END = 5;
    private static final int CONTENT = 6;

    /** Returns the types of access of a subscriber, a bit each from bit 1: one to four of them. */
    static int accessTypes(long subscriber) {
        return typesOf(subscriber, ACCESS);
    }

    /** Returns the types of facilities of a subscriber, a bit each from bit 1: one to four of them. */
    static int facilityTypes(long subscriber) {
        return typesOf(subscriber, FACILITY);
    }

    private static int typesOf(long subscriber, int which) {
        long drawn = EightByteKeys.hash(subscriber, which) >>> 1;
        return choose(1 + (int) (drawn % TatpKeys.TYPES), TatpKeys.TYPES, drawn / TatpKeys.TYPES) << 1;
    }

    static boolean isActive(long facilityKey) {
        return (EightByteKeys.hash(facilityKey, ACTIVE) >>> 1) % 100 < 85;
    }

    /** Returns the starts for which calls to a facility are forwarded, a bit each from bit 0. */
    int starts(long facilityKey) {
        long drawn = EightByteKeys.hash(facilityKey, FORWARDING) >>> 1;
        if (steady) return (int) (drawn & (1 << TatpKeys.STARTS) - 1);
        int count = (int) (drawn % (TatpKeys.STARTS + 1));
        return choose(count, TatpKeys.STARTS, drawn / (TatpKeys.STARTS + 1));
    }

    /** Returns the hour at which a loaded forwarding ends. */
    int end(long forwardingKey, int start) {
        long drawn = EightByteKeys.hash(forwardingKey, END) >>> 1;
        return steady
                ? 1 + (int) (drawn % 24)
                : start * TatpKeys.HOURS_PER_START + 1 + (int) (drawn % TatpKeys.HOURS_PER_START);
    }

    /** Returns bits for the content of a row. A different {@code salt} gives different bits for one key. */
    static long content(long key, int salt) {
        return EightByteKeys.hash(key * 31 + salt, CONTENT);
    }

    /** Returns a set of {@code count} of the numbers 0 to {@code of - 1}; every set has equal probability. */
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
