package tidepool.workload.measured.tpcc;

import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.KeyPacker;
import tidepool.schema.Schema;

/** Warehouses and their districts (clause 1.3.1). Money is in cents, taxes are in ten-thousandths. */
final class WarehouseTables {
    /** Districts of a warehouse, from 1. */
    static final int DISTRICTS = 10;

    static final int NAME_BYTES = 10;

    static final Schema WAREHOUSE = address("warehouse")
            .attribute("tax", AttributeType.INT)
            .attribute("ytd", AttributeType.LONG)
            .build()
            .withUpdates("1 ytd");
    static final StringField W_NAME = WAREHOUSE.stringField("name");
    static final IntField W_TAX = WAREHOUSE.intField("tax");
    static final LongField W_YTD = WAREHOUSE.longField("ytd");

    static final Schema DISTRICT = address("district")
            .attribute("tax", AttributeType.INT)
            .attribute("ytd", AttributeType.LONG)
            .attribute("next_o_id", AttributeType.INT)
            .build()
            .withUpdates("43 ytd, 45 next_o_id");
    static final StringField D_NAME = DISTRICT.stringField("name");
    static final IntField D_TAX = DISTRICT.intField("tax");
    static final LongField D_YTD = DISTRICT.longField("ytd");
    static final IntField D_NEXT_O_ID = DISTRICT.intField("next_o_id");

    private static final KeyPacker WAREHOUSE_KEY = EightByteKeys.packer().bits("warehouse", 16);
    private static final KeyPacker DISTRICT_KEY = WAREHOUSE_KEY.bits("district", 4);

    private WarehouseTables() {}

    private static Schema.Builder address(String table) {
        return Schema.builder(table)
                .attribute("name", AttributeType.string(NAME_BYTES))
                .attribute("street_1", AttributeType.string(20))
                .attribute("street_2", AttributeType.string(20))
                .attribute("city", AttributeType.string(20))
                .attribute("state", AttributeType.string(2))
                .attribute("zip", AttributeType.string(9));
    }

    static long warehouse(int warehouse) {
        return WAREHOUSE_KEY.pack(warehouse);
    }

    static long district(int warehouse, int district) {
        return DISTRICT_KEY.pack(warehouse, district);
    }
}
