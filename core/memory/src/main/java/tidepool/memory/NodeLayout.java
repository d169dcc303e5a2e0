package tidepool.memory;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The layout of a memory node's own state, in memory that no verb can reach.
 *
 * <pre>
 *      0        8         16      24        32       40         48       56       64
 *      +--------+----+----+-------+---------+--------+----------+--------+--------+
 *      | magic  |ver |node| epoch | control | regions| next     | check- | doubt  |
 *      |        |    |    |       | lock    | (count)| session  | sum    |        |
 *      +--------+----+----+-------+---------+--------+----------+--------+--------+
 *      64 + 64·r        region entry r:   capability high, low, bytes, state, 4 reserved words
 *      64·257 + 64·s    session slot s:   state, pid, epoch, 5 reserved words
 *      84 KiB           one bit for every session number: set when it was revoked here, never cleared
 * </pre>
 *
 * <pre>
 *   field                       changed by                                              read by
 *   magic, version, node,       MemoryNode.format, once                                 openings of the node
 *     checksum
 *   epoch                       MemoryNode.raiseEpoch: CAS, only upwards                the check before every verb
 *   control lock                ControlLock: CAS by sessions                            sessions that want it
 *   regions, region entries     holder of the control lock; state of an entry and       openings; state of an entry:
 *                               then the count are stored last                          the check before every verb
 *   next session, on node 0     MemoryNode.nextSession: FAA; SessionTable: CAS          sessions that are opened
 *   doubt                       a node with a journal: at its start, and when filled    that node
 *   session slots, bits         SessionTable: CAS of the state, then pid and epoch      the check before every verb
 * </pre>
 *
 * The state of a session slot and that of a region are one word each, so that a check on every verb is one aligned
 * read. All words that change are read with acquire and stored with release, or swapped.
 */
public final class NodeLayout {
    /** "TIDENODE" in ASCII, little-endian. */
    public static final long MAGIC = 0x45444F4E45444954L;

    /** Since version 2 the state of a region entry counts its uses, and an entry can be reused. */
    public static final int VERSION = 2;

    /** Nodes of this version are served unchanged; their region entries are used once. */
    public static final int OLDEST_VERSION = 1;

    public static final int REGIONS = 256;
    public static final int SESSIONS = 1024;

    /** Session slots that only administrators may take. */
    public static final int RESERVED_SLOTS = 16;

    /** Session numbers have 23 bits. */
    public static final int SESSION_NUMBERS = 1 << 23;

    /** Never given out: for control calls that belong to no particular session. */
    public static final int CONTROL_SESSION = SESSION_NUMBERS - 1;

    /** The common number of all read-only sessions. It has no slot and is in no record. */
    public static final int READER_SESSION = SESSION_NUMBERS - 2;

    /** The number of sessions of one pool that can write, over its whole life. */
    public static final int GIVEN_NUMBERS = READER_SESSION - 1;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("magic"),
                    U32.withName("version"),
                    U32.withName("node"),
                    U64.withName("epoch"), // links made under an older epoch are refused
                    U64.withName("controlLock"), // 0 = free, otherwise the session that changes regions or extents
                    U64.withName("regionCount"), // entries used at least once; grows only
                    U64.withName("nextSession"), // of the pool: only node 0 hands out numbers
                    U64.withName("checksum"), // over magic, version and node, which never change
                    U64.withName("doubt")) // whether its data may be older than what was acknowledged; see
            // docs/operating/durability.md
            .withName("node-header");

    public static final StructLayout REGION = MemoryLayout.structLayout(
                    U64.withName("capabilityHigh"),
                    U64.withName("capabilityLow"),
                    U64.withName("bytes"), // of the whole region, its own header included
                    U64.withName("state"), // earlier uses << 8 | REGION_UNUSED, REGION_LIVE, REGION_FREED
                    MemoryLayout.paddingLayout(32))
            .withName("region-entry");

    public static final StructLayout SESSION = MemoryLayout.structLayout(
                    U64.withName("state"), // session number << 8 | SESSION_FREE, _ATTACHED, _REVOKED
                    U64.withName("pid"), // for people: the process to look at when a session does not answer
                    U64.withName("epoch"), // the epoch under which it attached
                    MemoryLayout.paddingLayout(40))
            .withName("session-slot");

    public static final long REGION_UNUSED = 0;
    public static final long REGION_LIVE = 1;
    public static final long REGION_FREED = 2;

    private static final int USES_SHIFT = 8;
    private static final long STATE_MASK = (1 << USES_SHIFT) - 1;

    public static final long SESSION_FREE = 0;
    public static final long SESSION_ATTACHED = 1;
    public static final long SESSION_REVOKED = 2;

    public static final long MAGIC_AT = offset(HEADER, "magic");
    public static final long VERSION_AT = offset(HEADER, "version");
    public static final long NODE = offset(HEADER, "node");
    public static final long EPOCH = offset(HEADER, "epoch");
    public static final long CONTROL_LOCK = offset(HEADER, "controlLock");
    public static final long REGION_COUNT = offset(HEADER, "regionCount");
    public static final long NEXT_SESSION = offset(HEADER, "nextSession");
    public static final long CHECKSUM = offset(HEADER, "checksum");
    public static final long DOUBT = offset(HEADER, "doubt");

    public static final long REGION_CAPABILITY_HIGH = offset(REGION, "capabilityHigh");
    public static final long REGION_CAPABILITY_LOW = offset(REGION, "capabilityLow");
    public static final long REGION_BYTES = offset(REGION, "bytes");
    public static final long REGION_STATE = offset(REGION, "state");

    public static final long SESSION_STATE = offset(SESSION, "state");
    public static final long SESSION_PID = offset(SESSION, "pid");
    public static final long SESSION_EPOCH = offset(SESSION, "epoch");

    /** The end of magic, version and node, which the checksum covers. */
    static final long CONSTANT_PART = EPOCH;

    private static final long REGION_TABLE = HEADER.byteSize();
    private static final long SESSION_TABLE = REGION_TABLE + REGIONS * REGION.byteSize();

    private static final long OVER_BITS = 84 * 1024;

    /** Bytes of the whole layout: a whole number of pages. */
    public static final long BYTES = OVER_BITS + SESSION_NUMBERS / Byte.SIZE;

    static {
        Checks.size(HEADER, 64);
        Checks.size(REGION, 64);
        Checks.size(SESSION, 64);
        Checks.invariant(SESSION_TABLE + SESSIONS * SESSION.byteSize() <= OVER_BITS, "the tables fit");
        Checks.invariant(BYTES % 4096 == 0, "whole pages");
    }

    private NodeLayout() {}

    /** Returns the offset of the entry of a region. */
    public static long region(int number) {
        return REGION_TABLE + number * REGION.byteSize();
    }

    /** Returns the offset of a session slot. */
    public static long session(int slot) {
        return SESSION_TABLE + slot * SESSION.byteSize();
    }

    /** Returns the offset of the word that holds the revocation bit of a session. */
    public static long over(int session) {
        return OVER_BITS + (long) (session / Long.SIZE) * Words.BYTES;
    }

    /** Returns whether the state word of a region entry says that the region is live. */
    public static boolean isLive(long state) {
        return (state & STATE_MASK) == REGION_LIVE;
    }

    /** Returns whether the state word of a region entry says that the region was freed. */
    public static boolean isFreed(long state) {
        return (state & STATE_MASK) == REGION_FREED;
    }

    /** Returns the state word of an entry with {@code earlierUses} earlier uses. */
    static long regionState(long earlierUses, long state) {
        return earlierUses << USES_SHIFT | state;
    }

    /** Returns the number of earlier uses in a state word. */
    static long earlierUses(long state) {
        return state >>> USES_SHIFT;
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
