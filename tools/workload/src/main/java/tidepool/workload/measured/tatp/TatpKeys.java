package tidepool.workload.measured.tatp;

/**
 * Keys of the five tables, as in the papers' artifacts.
 *
 * <pre>
 *   subscriber         s_id
 *   sec_subscriber     sub_nbr, 15 decimal digits, four bits each
 *   access_info        s_id | ai_type &lt;&lt; 32
 *   special_facility   s_id | sf_type &lt;&lt; 32
 *   call_forwarding    s_id | sf_type &lt;&lt; 32 | start_time &lt;&lt; 40
 * </pre>
 */
final class TatpKeys {
    static final int TYPES = 4;
    static final int STARTS = 3;
    static final int HOURS_PER_START = 8;

    private static final int DIGITS = 15;

    private TatpKeys() {}

    /** Returns the telephone number of a subscriber: its id with leading zeros, as decimal digits. */
    static long subNumber(long subscriber) {
        long digits = 0;
        long rest = subscriber;
        for (int i = 0; i < DIGITS && rest != 0; i++, rest /= 10) digits |= rest % 10 << 4 * i;
        return digits;
    }

    /** Returns a key of access_info or special_facility; types are 1 to 4. */
    static long typed(long subscriber, int type) {
        return subscriber | (long) type << 32;
    }

    /** Returns a key of call_forwarding; starts are 0, 1 and 2, for the hours 0, 8 and 16. */
    static long forwarding(long subscriber, int type, int start) {
        return typed(subscriber, type) | (long) start * HOURS_PER_START << 40;
    }
}
