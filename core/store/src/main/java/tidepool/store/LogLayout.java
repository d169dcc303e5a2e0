package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * A coordinator's memory on a memory node. Here it announces what it is about to lock, and keeps the old images of what
 * it is about to overwrite. Only the owner writes here until its session is revoked.
 *
 * <pre>
 *    area of coordinator c on each node:
 *    +-------------------+----------------------+----------------------+
 *    | intent: INTENTS   | log slot 0           | log slot 1           |
 *    | words             |                      |                      |
 *    +-------------------+----------------------+----------------------+
 *
 *    log slot:
 *     0         8       16      24        32       40
 *     +---------+-------+-------+---------+--------+----------------------------+---------------------------+
 *     | magic + | txn   | status| objects | check- | objects × { pointer,       | for objects on this node: |
 *     | length  |       |       |         | sum    |             body bytes }    | old version, old body     |
 *     +---------+-------+-------+---------+--------+----------------------------+---------------------------+
 * </pre>
 *
 * An intent is one word, a pointer to an object that may be locked. Words land one by one, and stale words remain. A
 * recoverer takes each as a hint and reads the lock itself. A log proves by its checksum that it is whole. A torn log
 * counts as none: the data writes, which follow the log on the same link, have not taken effect yet.
 *
 * <pre>
 *    field           written by                                    read by
 *    intents         the owner, before the CAS of the lock; zeros  the recoverer of its session, a roster change
 *                    by the owner and the recoverer
 *    magicAndLength  the owner, with the log; OVER and 0 by the    recoverer, roster change, restart after a loss
 *                    owner, the recoverer and a roster change      of power
 *    txn             the owner, with the log                       as magicAndLength
 *    status          the owner: HDTX after the log, if STAMPED     recoverer and roster change: they decide by it
 *                    with the log; HDTX's recoverer
 *    objects         the owner, with the log                       as magicAndLength
 *    checksum        the owner, with the log                       as magicAndLength: is the log whole
 *    entries, images the owner, with the log                       recoverer, roster change, restart: they undo or
 *                                                                  finish by them
 * </pre>
 */
public final class LogLayout {
    public static final int INTENTS = 256;
    public static final int SLOTS = 2;

    /** "TLOG" in the upper half of the first word, the length in bytes in the lower. */
    public static final long MAGIC = 0x474F4C54L;

    /** Replaces the first word: the transaction is over, and its logs are about to be cleared on all nodes. */
    public static final long OVER = 1;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("magicAndLength"),
                    U64.withName("txn"),
                    U64.withName("status"), // not under the checksum, unless it is STAMPED
                    U64.withName("objects"),
                    U64.withName("checksum"))
            .withName("log-header");

    public static final long MAGIC_AND_LENGTH = offset("magicAndLength");
    public static final long TXN = offset("txn");

    /**
     * The id of the transaction once it is decided that it committed, in logs that do not decide by being whole. It is
     * written alone, after the log. A stale word names the previous transaction of the slot, and so says nothing about
     * this one.
     */
    public static final long STATUS = offset("status");

    public static final long OBJECTS = offset("objects");

    /** In the word of the objects: the status decides, not the log alone. */
    public static final long BY_STATUS = 1L << 32;

    /** In the word of the objects: the place of the status is under the checksum, and holds the commit timestamp. */
    public static final long STAMPED = 1L << 33;

    public static final long CHECKSUM = offset("checksum");
    public static final long ENTRIES = HEADER.byteSize();

    /** Bytes of an entry: pointer, body bytes. */
    public static final long ENTRY_BYTES = 2 * Words.BYTES;

    public static final long INTENT_BYTES = INTENTS * (long) Words.BYTES;

    static {
        Checks.size(HEADER, 40);
    }

    private LogLayout() {}

    /** Returns the bytes of a coordinator's area. */
    public static long areaBytes(long slotBytes) {
        return INTENT_BYTES + SLOTS * slotBytes;
    }

    /** Returns where the intents of a coordinator begin in the log region. */
    public static long intents(int coordinator, long slotBytes) {
        return coordinator * areaBytes(slotBytes);
    }

    /** Returns where a log slot of a coordinator begins in the log region. */
    public static long slot(int coordinator, int slot, long slotBytes) {
        return coordinator * areaBytes(slotBytes) + INTENT_BYTES + slot * slotBytes;
    }

    private static long offset(String field) {
        return HEADER.byteOffset(PathElement.groupElement(field));
    }
}
