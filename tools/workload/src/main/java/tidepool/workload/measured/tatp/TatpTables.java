package tidepool.workload.measured.tatp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Schema;
import tidepool.workload.measured.TableSpec;

/**
 * The five tables: four of the specification, and the index from a telephone number to its subscriber. Values are as
 * long as in the artifacts: 40, 8, 8, 16 and 16 bytes.
 */
final class TatpTables {
    static final int SUBSCRIBER = 0;
    static final int SEC_SUBSCRIBER = 1;
    static final int SPECIAL_FACILITY = 2;
    static final int ACCESS_INFO = 3;
    static final int CALL_FORWARDING = 4;

    /**
     * The newest version and the previous one. A transaction reads at most four rows in a few trips, during which
     * hardly any row is changed twice. Motor's paper uses this number too (§7.2).
     */
    private static final int VERSIONS = 2;

    // Of a hundred transactions 14 change a location and 2 the data of a subscriber; forwardings are inserted and
    // deleted.
    private static final Schema SUBSCRIBERS = Schema.parse(
                    "subscriber(sub_nbr:long, msc_location:int, vlr_location:int, bits:short, hex:bytes[5],"
                            + " byte2:bytes[10])")
            .withUpdates("14 vlr_location, 2 bits")
            .withVersions(VERSIONS);
    private static final Schema NUMBERS =
            Schema.parse("sec_subscriber(s_id:long)").withUpdates("never");
    private static final Schema FACILITIES = Schema.parse(
                    "special_facility(is_active:byte, error_cntrl:byte, data_a:byte, data_b:bytes[5])")
            .withUpdates("1 data_a")
            .withVersions(VERSIONS);
    private static final Schema ACCESSES = Schema.parse(
                    "access_info(data1:byte, data2:byte, data3:bytes[3], data4:bytes[5])")
            .withUpdates("never");
    private static final Schema FORWARDINGS =
            Schema.parse("call_forwarding(end_time:byte, numberx:bytes[15])").withUpdates("never");

    static final LongField SUB_NBR = SUBSCRIBERS.longField("sub_nbr");
    static final IntField MSC_LOCATION = SUBSCRIBERS.intField("msc_location");
    static final IntField VLR_LOCATION = SUBSCRIBERS.intField("vlr_location");
    static final ShortField BITS = SUBSCRIBERS.shortField("bits");
    static final LongField S_ID = NUMBERS.longField("s_id");
    static final ByteField IS_ACTIVE = FACILITIES.byteField("is_active");
    static final ByteField ERROR_CNTRL = FACILITIES.byteField("error_cntrl");
    static final ByteField DATA_A = FACILITIES.byteField("data_a");
    static final ByteField DATA1 = ACCESSES.byteField("data1");
    static final ByteField END_TIME = FORWARDINGS.byteField("end_time");

    private static final long HEX = SUBSCRIBERS.attribute("hex").offset();
    private static final long BYTE2 = SUBSCRIBERS.attribute("byte2").offset();
    private static final long DATA_B = FACILITIES.attribute("data_b").offset();
    private static final long NUMBERX = FORWARDINGS.attribute("numberx").offset();
    private static final int ACCESS_BYTES = 10;
    private static final int NUMBERX_BYTES = 15;

    private TatpTables() {}

    static List<TableSpec> of(long subscribers) {
        // One to four rows per subscriber are 2.5 in the mean. The margin is for subscribers with more rows than the
        // mean.
        long typed = subscribers * 5 / 2 + Math.min(subscribers * 3 / 2, 10_000);
        return List.of(
                new TableSpec(SUBSCRIBERS, subscribers),
                new TableSpec(NUMBERS, subscribers),
                new TableSpec(FACILITIES, typed),
                new TableSpec(ACCESSES, typed),
                new TableSpec(FORWARDINGS, typed * TatpKeys.STARTS));
    }

    // ---- contents of rows that transactions do not change

    /** Writes the constant fields of a subscriber. */
    static void writeSubscriber(MemorySegment memory, long at, long subscriber) {
        SUB_NBR.set(memory, at, TatpKeys.subNumber(subscriber));
        MSC_LOCATION.set(memory, at, (int) TatpPopulation.content(subscriber, 1));
        fill(memory, at + HEX, 5, TatpPopulation.content(subscriber, 2));
        fill(memory, at + BYTE2, 10, TatpPopulation.content(subscriber, 3));
    }

    static boolean isSubscriber(MemorySegment memory, long at, long subscriber) {
        return SUB_NBR.get(memory, at) == TatpKeys.subNumber(subscriber)
                && MSC_LOCATION.get(memory, at) == (int) TatpPopulation.content(subscriber, 1)
                && isFilled(memory, at + HEX, 5, TatpPopulation.content(subscriber, 2))
                && isFilled(memory, at + BYTE2, 10, TatpPopulation.content(subscriber, 3));
    }

    /** Writes the constant fields of a facility. */
    static void writeFacility(MemorySegment memory, long at, long key) {
        IS_ACTIVE.set(memory, at, (byte) (TatpPopulation.isActive(key) ? 1 : 0));
        ERROR_CNTRL.set(memory, at, (byte) TatpPopulation.content(key, 4));
        fill(memory, at + DATA_B, 5, TatpPopulation.content(key, 5));
    }

    static boolean isFacility(MemorySegment memory, long at, long key) {
        return IS_ACTIVE.get(memory, at) == (TatpPopulation.isActive(key) ? 1 : 0)
                && ERROR_CNTRL.get(memory, at) == (byte) TatpPopulation.content(key, 4)
                && isFilled(memory, at + DATA_B, 5, TatpPopulation.content(key, 5));
    }

    static void writeAccess(MemorySegment memory, long at, long key) {
        fill(memory, at, ACCESS_BYTES, TatpPopulation.content(key, 6));
    }

    static boolean isAccess(MemorySegment memory, long at, long key) {
        return isFilled(memory, at, ACCESS_BYTES, TatpPopulation.content(key, 6));
    }

    /** Writes a forwarding. The number that it forwards to follows from its key and its end. */
    static void writeForwarding(MemorySegment memory, long at, long key, int end) {
        END_TIME.set(memory, at, (byte) end);
        fill(memory, at + NUMBERX, NUMBERX_BYTES, TatpPopulation.content(key, 100 + end));
    }

    static boolean isForwarding(MemorySegment memory, long at, long key) {
        int end = END_TIME.get(memory, at);
        return end >= 0
                && end <= 24
                && isFilled(memory, at + NUMBERX, NUMBERX_BYTES, TatpPopulation.content(key, 100 + end));
    }

    private static void fill(MemorySegment memory, long at, int bytes, long content) {
        for (int i = 0; i < bytes; i++) memory.set(ValueLayout.JAVA_BYTE, at + i, digit(content, i));
    }

    private static boolean isFilled(MemorySegment memory, long at, int bytes, long content) {
        for (int i = 0; i < bytes; i++)
            if (memory.get(ValueLayout.JAVA_BYTE, at + i) != digit(content, i)) return false;
        return true;
    }

    /** Returns four bits of a content as a character from '0' on. */
    private static byte digit(long content, int i) {
        return (byte) ('0' + (content >>> 4 * i & 15));
    }
}
