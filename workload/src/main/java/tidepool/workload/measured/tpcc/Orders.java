package tidepool.workload.measured.tpcc;

import tidepool.store.schema.Fields.ByteField;
import tidepool.store.schema.Fields.IntField;
import tidepool.store.schema.Fields.LongField;
import tidepool.store.schema.Fields.ShortField;
import tidepool.store.schema.Fields.StringField;
import tidepool.store.schema.KeyPacker;
import tidepool.store.schema.Keys;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;

/**
 * Orders, their lines, those that wait for delivery (clause 1.3.1), and a table that stands for an index: the oldest
 * order of a district that waits. A date or a carrier of 0 is null.
 */
final class Orders {
    static final int LEAST_LINES = 5;
    static final int MOST_LINES = 15;

    static final Schema ORDER = Schema.builder("order")
            .attribute("c_id", Type.INT)
            .attribute("entry_d", Type.LONG)
            .attribute("carrier_id", Type.BYTE)
            .attribute("ol_cnt", Type.BYTE)
            .attribute("all_local", Type.BYTE)
            .build()
            .withUpdates("1 carrier_id");
    static final IntField O_C_ID = ORDER.intField("c_id");
    static final LongField O_ENTRY_D = ORDER.longField("entry_d");
    static final ByteField O_CARRIER_ID = ORDER.byteField("carrier_id");
    static final ByteField O_OL_CNT = ORDER.byteField("ol_cnt");
    static final ByteField O_ALL_LOCAL = ORDER.byteField("all_local");

    /** All that it says is in its key; a value has at least one attribute. */
    static final Schema NEW_ORDER =
            Schema.builder("new_order").attribute("entry_d", Type.LONG).build().withUpdates("never");

    static final LongField NO_ENTRY_D = NEW_ORDER.longField("entry_d");

    static final Schema ORDER_LINE = Schema.builder("order_line")
            .attribute("i_id", Type.INT)
            .attribute("supply_w_id", Type.SHORT)
            .attribute("delivery_d", Type.LONG)
            .attribute("quantity", Type.BYTE)
            .attribute("amount", Type.INT)
            .attribute("dist_info", Type.string(Goods.DIST_BYTES))
            .build()
            .withUpdates("1 delivery_d");
    static final IntField OL_I_ID = ORDER_LINE.intField("i_id");
    static final ShortField OL_SUPPLY_W_ID = ORDER_LINE.shortField("supply_w_id");
    static final LongField OL_DELIVERY_D = ORDER_LINE.longField("delivery_d");
    static final ByteField OL_QUANTITY = ORDER_LINE.byteField("quantity");
    static final IntField OL_AMOUNT = ORDER_LINE.intField("amount");
    static final StringField OL_DIST_INFO = ORDER_LINE.stringField("dist_info");

    /** Stands for an index of new orders: the oldest one, or the next order if none waits. */
    static final Schema OLDEST = Schema.builder("oldest_new_order")
            .attribute("o_id", Type.INT)
            .build()
            .withUpdates("1 o_id");

    static final IntField OLDEST_O_ID = OLDEST.intField("o_id");

    private static final KeyPacker ORDER_KEY =
            Keys.packer().bits("warehouse", 16).bits("district", 4).bits("order", 32);
    private static final KeyPacker LINE_KEY = ORDER_KEY.bits("line", 4);

    private Orders() {}

    /** Of an order, and of the new order that it may be. */
    static long order(int warehouse, int district, int order) {
        return ORDER_KEY.pack(warehouse, district, order);
    }

    /** Of a line, from 1. */
    static long line(int warehouse, int district, int order, int line) {
        return LINE_KEY.pack(warehouse, district, order, line);
    }
}
