package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import tidepool.base.Checks;
import tidepool.schema.AttributeType;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.BytesField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.IndexSchema;
import tidepool.schema.KeyPacker;
import tidepool.schema.Schema;

/**
 * Customers, their payments (clause 1.3.1), and two tables that replace indexes at the papers' scale: the customers of
 * a last name, and the last order of a customer.
 */
final class CustomerTables {
    /** The payment of every customer before the run, in cents (clause 4.3.3.1). */
    static final int FIRST_PAYMENT = 10_00;

    /** Last names that can be made of three syllables. */
    static final int NAMES = 1000;

    /**
     * The highest number of customers of a district with one last name. The most common one is drawn about 51 times in
     * 2,000.
     */
    static final int MAX_NAMESAKES = 100;

    static final int DATA_BYTES = 500;

    /** Bytes of a first name and of a last name. */
    static final int NAME_BYTES = 16;

    /** The index of customers by warehouse, district, last name and first name. */
    static final String BY_NAME = "by_name";

    static final Schema CUSTOMER = customers(false);

    /** The customers of a database with indexes: each row also has its warehouse and its district, as columns. */
    static final Schema INDEXED_CUSTOMER = customers(true);

    static final IntField C_DISCOUNT = CUSTOMER.intField("discount");
    static final LongField C_BALANCE = CUSTOMER.longField("balance");
    static final LongField C_YTD_PAYMENT = CUSTOMER.longField("ytd_payment");
    static final IntField C_PAYMENT_CNT = CUSTOMER.intField("payment_cnt");
    static final IntField C_DELIVERY_CNT = CUSTOMER.intField("delivery_cnt");
    static final ShortField C_W_ID = INDEXED_CUSTOMER.shortField("w_id");
    static final ByteField C_D_ID = INDEXED_CUSTOMER.byteField("d_id");

    static {
        // The numbers lie in front of the texts, so they have one place in both.
        for (String each : List.of("discount", "balance", "ytd_payment", "payment_cnt", "delivery_cnt"))
            Checks.invariant(
                    CUSTOMER.field(each).attribute().offset()
                            == INDEXED_CUSTOMER.field(each).attribute().offset(),
                    "the place of a number does not depend on the texts");
    }

    private static Schema customers(boolean isIndexed) {
        Schema.Builder customer = Schema.builder("customer")
                .attribute("first", AttributeType.string(NAME_BYTES))
                .attribute("middle", AttributeType.string(2))
                .attribute("last", AttributeType.string(NAME_BYTES))
                .attribute("street_1", AttributeType.string(20))
                .attribute("street_2", AttributeType.string(20))
                .attribute("city", AttributeType.string(20))
                .attribute("state", AttributeType.string(2))
                .attribute("zip", AttributeType.string(9))
                .attribute("phone", AttributeType.string(16))
                .attribute("since", AttributeType.LONG)
                .attribute("credit", AttributeType.string(2))
                .attribute("credit_lim", AttributeType.LONG)
                .attribute("discount", AttributeType.INT)
                .attribute("balance", AttributeType.LONG)
                .attribute("ytd_payment", AttributeType.LONG)
                .attribute("payment_cnt", AttributeType.INT)
                .attribute("delivery_cnt", AttributeType.INT)
                .attribute("data", AttributeType.string(DATA_BYTES));
        if (isIndexed) customer.attribute("w_id", AttributeType.SHORT).attribute("d_id", AttributeType.BYTE);
        // Of a thousand transactions 430 are payments, one in ten of a customer with bad credit, and 40 deliver ten
        // orders.
        Schema rows = customer.build()
                .withUpdates("387 balance+ytd_payment+payment_cnt, 43 balance+ytd_payment+payment_cnt+data,"
                        + " 400 balance+delivery_cnt");
        return isIndexed
                ? rows.withIndexes(List.of(IndexSchema.of(BY_NAME, 1, "w_id", "d_id", "last", "first")))
                : rows;
    }

    static final Schema HISTORY = Schema.builder("history")
            .attribute("c_id", AttributeType.SHORT)
            .attribute("c_d_id", AttributeType.BYTE)
            .attribute("c_w_id", AttributeType.SHORT)
            .attribute("d_id", AttributeType.BYTE)
            .attribute("w_id", AttributeType.SHORT)
            .attribute("date", AttributeType.LONG)
            .attribute("amount", AttributeType.INT)
            .attribute("data", AttributeType.string(24))
            .build()
            .withUpdates("never");
    static final ShortField H_C_ID = HISTORY.shortField("c_id");
    static final ByteField H_C_D_ID = HISTORY.byteField("c_d_id");
    static final ShortField H_C_W_ID = HISTORY.shortField("c_w_id");
    static final ByteField H_D_ID = HISTORY.byteField("d_id");
    static final ShortField H_W_ID = HISTORY.shortField("w_id");
    static final LongField H_DATE = HISTORY.longField("date");
    static final IntField H_AMOUNT = HISTORY.intField("amount");
    static final StringField H_DATA = HISTORY.stringField("data");

    /** Replaces an index by last name: the customers of that name, ordered by first name. */
    static final Schema NAMESAKES = Schema.builder("customer_by_name")
            .attribute("count", AttributeType.SHORT)
            .attribute("customers", AttributeType.bytes(2 * MAX_NAMESAKES))
            .build()
            .withUpdates("never");

    static final ShortField N_COUNT = NAMESAKES.shortField("count");
    private static final BytesField N_CUSTOMERS = NAMESAKES.bytesField("customers");

    /** Replaces an index of orders by customer: the last order, and its number of lines. */
    static final Schema LAST_ORDER = Schema.builder("last_order")
            .attribute("o_id", AttributeType.INT)
            .attribute("ol_cnt", AttributeType.INT)
            .build()
            .withUpdates("1 o_id+ol_cnt");

    static final IntField LO_O_ID = LAST_ORDER.intField("o_id");
    static final IntField LO_OL_CNT = LAST_ORDER.intField("ol_cnt");

    private static final KeyPacker CUSTOMER_KEY =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 4).bits("customer", 12);
    private static final KeyPacker NAME_KEY =
            EightByteKeys.packer().bits("warehouse", 16).bits("district", 4).bits("name", 10);
    private static final KeyPacker HISTORY_KEY =
            EightByteKeys.packer().bits("writer", 24).bits("number", 40);

    private static final ValueLayout.OfShort ID = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private CustomerTables() {}

    /** Returns the key of a customer, and of the customer's last order. */
    static long customer(int warehouse, int district, int customer) {
        return CUSTOMER_KEY.pack(warehouse, district, customer);
    }

    static long name(int warehouse, int district, int name) {
        return NAME_KEY.pack(warehouse, district, name);
    }

    /** Returns the number of a customer from its key. */
    static int numberOf(long customerKey) {
        return (int) customerKey & 0xfff;
    }

    /** Returns the key of a customer's payment before the run. */
    static long firstPayment(int warehouse, int district, int customer) {
        return HISTORY_KEY.pack(0, customer(warehouse, district, customer));
    }

    /**
     * Returns the key of a payment of a run. Each client numbers its own, so the key is known before anything is read.
     */
    static long payment(int client, long number) {
        return HISTORY_KEY.pack(client + 1L, number);
    }

    /** Returns the i-th customer of a row of {@link #NAMESAKES}. */
    static int namesake(MemorySegment memory, long row, int i) {
        return memory.get(ID, row + N_CUSTOMERS.attribute().offset() + 2L * i);
    }

    static void addNamesake(MemorySegment memory, long row, int customer) {
        short count = N_COUNT.get(memory, row);
        Checks.invariant(count < MAX_NAMESAKES, "so many customers have one name", count);
        memory.set(ID, row + N_CUSTOMERS.attribute().offset() + 2L * count, (short) customer);
        N_COUNT.set(memory, row, (short) (count + 1));
    }
}
