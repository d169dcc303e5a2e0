package tidepool.workload.measured.tpcc;

import java.util.List;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.IndexSchema;
import tidepool.schema.KeyPacker;
import tidepool.schema.Schema;

/**
 * Orders, their lines, new orders that wait for delivery (clause 1.3.1), and a table that replaces an index at the
 * papers' scale: the oldest new order of a district. A date or a carrier of 0 is null.
 */
final class OrderTables {
    static final int MIN_LINES = 5;
    static final int MAX_LINES = 15;

    static final Schema ORDER = Schema.builder("order")
            .attribute("c_id", AttributeType.INT)
            .attribute("entry_d", AttributeType.LONG)
            .attribute("carrier_id", AttributeType.BYTE)
            .attribute("ol_cnt", AttributeType.BYTE)
            .attribute("all_local", AttributeType.BYTE)
            .build()
            .withUpdates("1 carrier_id");
    static final IntField O_C_ID = ORDER.intField("c_id");
    static final LongField O_ENTRY_D = ORDER.longField("entry_d");
    static final ByteField O_CARRIER_ID = ORDER.byteField("carrier_id");
    static final ByteField O_OL_CNT = ORDER.byteField("ol_cnt");
    static final ByteField O_ALL_LOCAL = ORDER.byteField("all_local");

    /** The index of orders by customer; orders of one customer number are then in the order of their keys. */
    static final String BY_CUSTOMER = "by_customer";

    static final Schema INDEXED_ORDER = ORDER.withIndexes(List.of(IndexSchema.of(BY_CUSTOMER, 1, "c_id")));

    /** A new order. Its key holds all its information; a value has at least one attribute. */
    static final Schema NEW_ORDER = Schema.builder("new_order")
            .attribute("entry_d", AttributeType.LONG)
            .build()
            .withUpdates("never");

    static final Schema ORDERED_NEW_ORDER = NEW_ORDER.withIndexes(List.of(IndexSchema.primary(1)));
    static final LongField NO_ENTRY_D = NEW_ORDER.longField("entry_d");

    static final Schema ORDER_LINE = Schema.builder("order_line")
            .attribute("i_id", AttributeType.INT)
            .attribute("supply_w_id", AttributeType.SHORT)
            .attribute("delivery_d", AttributeType.LONG)
            .attribute("quantity", AttributeType.BYTE)
            .attribute("amount", AttributeType.INT)
            .attribute("dist_info", AttributeType.string(ItemTables.DIST_BYTES))
            .build()
            .withUpdates("1 delivery_d");
    static final Schema ORDERED_LINE = ORDER_LINE.withIndexes(List.of(IndexSchema.primary(1)));
    static final IntField OL_I_ID = ORDER_LINE.intField("i_id");
    static final ShortField OL_SUPPLY_W_ID = ORDER_LINE.shortField("supply_w_id");
    static final LongField OL_DELIVERY_D = ORDER_LINE.longField("delivery_d");
    static final ByteField OL_QUANTITY = ORDER_LINE.byteField("quantity");
    static final IntField OL_AMOUNT = ORDER_LINE.intField("amount");
    static final StringField OL_DIST_INFO = ORDER_LINE.stringField("dist_info");

    /** Replaces an index of new orders: the oldest one, or the next order if there is none. */
    static final Schema OLDEST = Schema.builder("oldest_new_order")
            .attribute("o_id", AttributeType.INT)
            .build()
            .withUpdates("1 o_id");

    static final IntField OLDEST_O_ID = OLDEST.intField("o_id");

    private static final KeyPacker ORDER_KEY =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 4).bits("order", 32);
    private static final KeyPacker LINE_KEY = ORDER_KEY.bits("line", 4);

    private OrderTables() {}

    /** Returns the number of an order from its key. */
    static int numberOf(long orderKey) {
        return (int) orderKey;
    }

    /** Returns the number of the order of a line, from the key of the line. */
    static int orderOf(long lineKey) {
        return (int) (lineKey >>> 4);
    }

    /** Returns the number of a line within its order, from its key. */
    static int lineOf(long lineKey) {
        return (int) lineKey & 0xf;
    }

    /** Returns the key of an order, and of its new order. */
    static long order(int warehouse, int district, int order) {
        return ORDER_KEY.pack(warehouse, district, order);
    }

    /** Returns the key of a line; lines begin at 1. */
    static long line(int warehouse, int district, int order, int line) {
        return LINE_KEY.pack(warehouse, district, order, line);
    }
}
