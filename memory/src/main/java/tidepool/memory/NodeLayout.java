package tidepool.memory;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * What a memory node knows about itself, as it lies in its own memory, out of reach of any verb.
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
 * A session slot and a region's state are one word each, so that checking them on every verb is one aligned read.
 */
public final class NodeLayout {
    /** "TIDENODE" in ASCII, little-endian. */
    public static final long MAGIC = 0x45444F4E45444954L;

    /** Since 2 the state of a region entry counts its uses, and an entry is used again. */
    public static final int VERSION = 2;

    /** Nodes of this version are served as they are; their region entries are used once. */
    public static final int OLDEST_VERSION = 1;

    public static final int REGIONS = 256;
    public static final int SESSIONS = 1024;

    /** Session slots that only administrators may take. */
    public static final int RESERVED_SLOTS = 16;

    /** Session numbers have 23 bits. */
    public static final int SESSION_NUMBERS = 1 << 23;

    /** Never handed out: for control calls in the name of nobody in particular. */
    public static final int CONTROL_SESSION = SESSION_NUMBERS - 1;

    /** The one number of all sessions that may only read. It has no slot and stands in no record. */
    public static final int READER_SESSION = SESSION_NUMBERS - 2;

    /** How many sessions of one pool can write, in all its life. */
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
                    U64.withName("doubt")) // whether what it holds may be older than what was acknowledged; see
            // docs/durability.md
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
                    U64.withName("pid"), // for people: whom to look at when a process does not answer
                    U64.withName("epoch"), // under which it attached
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

    /** Where magic, version and node end, which the checksum covers. */
    static final long CONSTANT_PART = EPOCH;

    private static final long REGION_TABLE = HEADER.byteSize();
    private static final long SESSION_TABLE = REGION_TABLE + REGIONS * REGION.byteSize();

    private static final long OVER_BITS = 84 * 1024;

    /** Bytes of the whole, in pages. */
    public static final long BYTES = OVER_BITS + SESSION_NUMBERS / Byte.SIZE;

    static {
        Checks.size(HEADER, 64);
        Checks.size(REGION, 64);
        Checks.size(SESSION, 64);
        Checks.invariant(SESSION_TABLE + SESSIONS * SESSION.byteSize() <= OVER_BITS, "the tables fit");
        Checks.invariant(BYTES % 4096 == 0, "whole pages");
    }

    private NodeLayout() {}

    /** Where the entry of a region begins. */
    public static long region(int number) {
        return REGION_TABLE + number * REGION.byteSize();
    }

    /** Where a session slot begins. */
    public static long session(int slot) {
        return SESSION_TABLE + slot * SESSION.byteSize();
    }

    /** Where the word lies that has the bit of a session which was revoked. */
    public static long over(int session) {
        return OVER_BITS + (long) (session / Long.SIZE) * Words.BYTES;
    }

    /** Whether the state word of a region entry says that the region lives. */
    public static boolean isLive(long state) {
        return (state & STATE_MASK) == REGION_LIVE;
    }

    /** Whether it says that the region was freed. */
    public static boolean isFreed(long state) {
        return (state & STATE_MASK) == REGION_FREED;
    }

    /** The state word of an entry that has been used so often before. */
    static long regionState(long earlierUses, long state) {
        return earlierUses << USES_SHIFT | state;
    }

    /** How often the entry was used before, by its state word. */
    static long earlierUses(long state) {
        return state >>> USES_SHIFT;
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
