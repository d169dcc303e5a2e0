package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import tidepool.base.Checks;
import tidepool.store.schema.Fields.ByteField;
import tidepool.store.schema.Fields.BytesField;
import tidepool.store.schema.Fields.IntField;
import tidepool.store.schema.Fields.LongField;
import tidepool.store.schema.Fields.ShortField;
import tidepool.store.schema.Fields.StringField;
import tidepool.store.schema.KeyPacker;
import tidepool.store.schema.Keys;
import tidepool.store.schema.Schema;
import tidepool.store.schema.Type;

/**
 * Customers, their payments (clause 1.3.1), and two tables that stand for indexes: who has a last name, and which order
 * of a customer is the last one.
 */
final class People {
    /** What everybody has paid before the run, in cents (clause 4.3.3.1). */
    static final int FIRST_PAYMENT = 10_00;

    /** Last names that can be made of three syllables. */
    static final int NAMES = 1000;

    /** Most customers of a district with one last name. The most common one is drawn about 51 times in 2,000. */
    static final int MOST_NAMESAKES = 100;

    static final int DATA_BYTES = 500;

    static final Schema CUSTOMER = Schema.builder("customer")
            .attribute("first", Type.string(16))
            .attribute("middle", Type.string(2))
            .attribute("last", Type.string(16))
            .attribute("street_1", Type.string(20))
            .attribute("street_2", Type.string(20))
            .attribute("city", Type.string(20))
            .attribute("state", Type.string(2))
            .attribute("zip", Type.string(9))
            .attribute("phone", Type.string(16))
            .attribute("since", Type.LONG)
            .attribute("credit", Type.string(2))
            .attribute("credit_lim", Type.LONG)
            .attribute("discount", Type.INT)
            .attribute("balance", Type.LONG)
            .attribute("ytd_payment", Type.LONG)
            .attribute("payment_cnt", Type.INT)
            .attribute("delivery_cnt", Type.INT)
            .attribute("data", Type.string(DATA_BYTES))
            .build()
            // Of a thousand transactions 430 are payments, one in ten of a customer with bad credit, and 40 deliver ten
            // orders.
            .withUpdates("387 balance+ytd_payment+payment_cnt, 43 balance+ytd_payment+payment_cnt+data,"
                    + " 400 balance+delivery_cnt");
    static final StringField C_FIRST = CUSTOMER.stringField("first");
    static final StringField C_LAST = CUSTOMER.stringField("last");
    static final StringField C_CREDIT = CUSTOMER.stringField("credit");
    static final IntField C_DISCOUNT = CUSTOMER.intField("discount");
    static final LongField C_BALANCE = CUSTOMER.longField("balance");
    static final LongField C_YTD_PAYMENT = CUSTOMER.longField("ytd_payment");
    static final IntField C_PAYMENT_CNT = CUSTOMER.intField("payment_cnt");
    static final IntField C_DELIVERY_CNT = CUSTOMER.intField("delivery_cnt");
    static final StringField C_DATA = CUSTOMER.stringField("data");

    static final Schema HISTORY = Schema.builder("history")
            .attribute("c_id", Type.SHORT)
            .attribute("c_d_id", Type.BYTE)
            .attribute("c_w_id", Type.SHORT)
            .attribute("d_id", Type.BYTE)
            .attribute("w_id", Type.SHORT)
            .attribute("date", Type.LONG)
            .attribute("amount", Type.INT)
            .attribute("data", Type.string(24))
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

    /** Stands for an index by last name: the customers of that name, ordered by first name. */
    static final Schema NAMESAKES = Schema.builder("customer_by_name")
            .attribute("count", Type.SHORT)
            .attribute("customers", Type.bytes(2 * MOST_NAMESAKES))
            .build()
            .withUpdates("never");

    static final ShortField N_COUNT = NAMESAKES.shortField("count");
    private static final BytesField N_CUSTOMERS = NAMESAKES.bytesField("customers");

    /** Stands for an index of orders by customer: the last one, and how many lines it has. */
    static final Schema LAST_ORDER = Schema.builder("last_order")
            .attribute("o_id", Type.INT)
            .attribute("ol_cnt", Type.INT)
            .build()
            .withUpdates("1 o_id+ol_cnt");

    static final IntField LO_O_ID = LAST_ORDER.intField("o_id");
    static final IntField LO_OL_CNT = LAST_ORDER.intField("ol_cnt");

    private static final KeyPacker CUSTOMER_KEY =
            Keys.packer().bits("warehouse", 16).bits("district", 4).bits("customer", 12);
    private static final KeyPacker NAME_KEY =
            Keys.packer().bits("warehouse", 16).bits("district", 4).bits("name", 10);
    private static final KeyPacker HISTORY_KEY =
            Keys.packer().bits("writer", 24).bits("number", 40);

    private static final ValueLayout.OfShort ID = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private People() {}

    /** Of a customer, and of the last order that it has. */
    static long customer(int warehouse, int district, int customer) {
        return CUSTOMER_KEY.pack(warehouse, district, customer);
    }

    static long name(int warehouse, int district, int name) {
        return NAME_KEY.pack(warehouse, district, name);
    }

    /** The payment of a customer that was there before the run. */
    static long firstPayment(int warehouse, int district, int customer) {
        return HISTORY_KEY.pack(0, customer(warehouse, district, customer));
    }

    /** A payment of a run: each client numbers its own, so that the key is known before anything is read. */
    static long payment(int client, long number) {
        return HISTORY_KEY.pack(client + 1L, number);
    }

    /** The i-th of the customers in a row of {@link #NAMESAKES}. */
    static int namesake(MemorySegment memory, long row, int i) {
        return memory.get(ID, row + N_CUSTOMERS.attribute().offset() + 2L * i);
    }

    static void addNamesake(MemorySegment memory, long row, int customer) {
        short count = N_COUNT.get(memory, row);
        Checks.invariant(count < MOST_NAMESAKES, "so many customers have one name", count);
        memory.set(ID, row + N_CUSTOMERS.attribute().offset() + 2L * count, (short) customer);
        N_COUNT.set(memory, row, (short) (count + 1));
    }
}
