package tidepool.workload.measured.tpcc;

import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.KeyPacker;
import tidepool.schema.Schema;

/** Items, and the stock of each item in each warehouse (clause 1.3.1). */
final class ItemTables {
    static final int DIST_BYTES = 24;
    static final int DATA_BYTES = 50;

    static final Schema ITEM = Schema.builder("item")
            .attribute("im_id", AttributeType.INT)
            .attribute("name", AttributeType.string(24))
            .attribute("price", AttributeType.INT)
            .attribute("data", AttributeType.string(DATA_BYTES))
            .build()
            .withUpdates("never");
    static final IntField I_IM_ID = ITEM.intField("im_id");
    static final StringField I_NAME = ITEM.stringField("name");
    static final IntField I_PRICE = ITEM.intField("price");
    static final StringField I_DATA = ITEM.stringField("data");

    static final Schema STOCK = stock();
    static final ShortField S_QUANTITY = STOCK.shortField("quantity");
    static final LongField S_YTD = STOCK.longField("ytd");
    static final IntField S_ORDER_CNT = STOCK.intField("order_cnt");
    static final IntField S_REMOTE_CNT = STOCK.intField("remote_cnt");
    static final StringField S_DATA = STOCK.stringField("data");

    private static final StringField[] S_DIST = dists();

    private static final KeyPacker ITEM_KEY = EightByteKeys.packer().bits("item", 20);
    private static final KeyPacker STOCK_KEY =
            EightByteKeys.packer().bits("warehouse", 16).bits("item", 20);

    private ItemTables() {}

    private static Schema stock() {
        Schema.Builder stock = Schema.builder("stock").attribute("quantity", AttributeType.SHORT);
        for (int district = 1; district <= WarehouseTables.DISTRICTS; district++)
            stock.attribute("dist_" + district, AttributeType.string(DIST_BYTES));
        return stock.attribute("ytd", AttributeType.LONG)
                .attribute("order_cnt", AttributeType.INT)
                .attribute("remote_cnt", AttributeType.INT)
                .attribute("data", AttributeType.string(DATA_BYTES))
                .build()
                // One line in a hundred is supplied by another warehouse.
                .withUpdates("99 quantity+ytd+order_cnt, 1 quantity+ytd+order_cnt+remote_cnt");
    }

    private static StringField[] dists() {
        StringField[] dists = new StringField[WarehouseTables.DISTRICTS];
        for (int i = 0; i < dists.length; i++) dists[i] = STOCK.stringField("dist_" + (i + 1));
        return dists;
    }

    /** Returns the field of the stock that is copied into an order line of that district. */
    static StringField dist(int district) {
        return S_DIST[district - 1];
    }

    static long item(int item) {
        return ITEM_KEY.pack(item);
    }

    static long stock(int warehouse, int item) {
        return STOCK_KEY.pack(warehouse, item);
    }
}
