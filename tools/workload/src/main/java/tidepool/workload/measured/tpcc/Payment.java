package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Randomness;
import tidepool.txn.Txn;

/**
 * Enters a payment of a customer (clause 2.5).
 *
 * <pre>
 *   execute 1   only by last name: READ customers of that name, or SCAN them in their index
 *   execute 2   UPDATE warehouse, district, customer; INSERT history
 * </pre>
 *
 * The warehouse is the most contended row, so it is locked last.
 */
final class Payment extends TpccTransaction {
    /** Bytes that a payment of a customer with bad credit inserts before the customer's data. */
    private static final int NOTE_BYTES = 4 + 2 + 5 + 2 + 5 + 6 + 6;

    private final long creditAt;
    private final long dataAt;
    private int warehouse;
    private int district;
    private int customerWarehouse;
    private int customerDistrict;
    private int customer;
    private int name;
    private int amount;

    /** The number of this client's payments in the pool, and so the number of the next one. */
    private long number;

    Payment(TpccClient client) {
        super(client);
        creditAt = tables.customer.schema().field("credit").attribute().offset();
        dataAt = tables.customer.schema().field("data").attribute().offset();
    }

    @Override
    void draw(Randomness random) {
        warehouse = client.drawWarehouse();
        district = client.drawDistrict();
        customerWarehouse = warehouse;
        customerDistrict = district;
        if (size.warehouses() > 1 && random.chance(15, 100)) {
            customerWarehouse = client.drawOther(warehouse);
            customerDistrict = client.drawDistrict();
        }
        boolean byName = random.chance(size.byName(), 100);
        name = byName ? client.drawName() : -1;
        customer = byName ? 0 : client.drawCustomer();
        amount = 1_00 + random.nextInt(4999_01);
    }

    @Override
    void committed() {
        number++;
    }

    @Override
    boolean attempt(Txn txn) {
        int id = customer;
        if (name >= 0) {
            id = customerNamed(txn, customerWarehouse, customerDistrict, name);
            if (id == ABORTED) return false;
            if (id == 0) return missing();
        }
        int home = txn.update(tables.warehouse, WarehouseTables.warehouse(warehouse));
        int place = txn.update(tables.district, WarehouseTables.district(warehouse, district));
        int payer = txn.update(tables.customer, CustomerTables.customer(customerWarehouse, customerDistrict, id));
        int history = txn.insert(tables.history, CustomerTables.payment(client.number, number));
        if (!txn.execute()) return false;
        if (txn.found(history)) {
            if (!skipEarlierRuns(txn)) return false;
            history = txn.insert(tables.history, CustomerTables.payment(client.number, number));
            if (!txn.execute()) return false;
        }

        MemorySegment memory = txn.memory();
        long w = txn.value(home);
        long d = txn.value(place);
        WarehouseTables.W_YTD.set(memory, w, WarehouseTables.W_YTD.get(memory, w) + amount);
        WarehouseTables.D_YTD.set(memory, d, WarehouseTables.D_YTD.get(memory, d) + amount);
        pay(memory, txn.value(payer), id);
        record(memory, txn.value(history), id, w, d);
        client.count(TpccTotals.PAYMENTS, 1);
        client.count(TpccTotals.PAID, amount);
        return true;
    }

    private void pay(MemorySegment memory, long c, int id) {
        CustomerTables.C_BALANCE.set(memory, c, CustomerTables.C_BALANCE.get(memory, c) - amount);
        CustomerTables.C_YTD_PAYMENT.set(memory, c, CustomerTables.C_YTD_PAYMENT.get(memory, c) + amount);
        CustomerTables.C_PAYMENT_CNT.set(memory, c, CustomerTables.C_PAYMENT_CNT.get(memory, c) + 1);
        byte credit = memory.get(ValueLayout.JAVA_BYTE, c + creditAt);
        if (credit == 'B') noteBadCredit(memory, c + dataAt, id);
    }

    /** Inserts the payment into the data of a customer with bad credit. The oldest payments are cut off at the end. */
    private void noteBadCredit(MemorySegment memory, long data, int id) {
        MemorySegment.copy(memory, data, memory, data + NOTE_BYTES, CustomerTables.DATA_BYTES - NOTE_BYTES);
        long at = digits(memory, data, id, 4);
        at = digits(memory, at, customerDistrict, 2);
        at = digits(memory, at, customerWarehouse, 5);
        at = digits(memory, at, district, 2);
        at = digits(memory, at, warehouse, 5);
        at = digits(memory, at, amount, 6);
        digits(memory, at, (int) (client.date() % 1_000_000), 6);
    }

    private static long digits(MemorySegment memory, long at, int value, int width) {
        for (int i = width - 1, left = value; i >= 0; i--, left /= 10)
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) ('0' + left % 10));
        return at + width;
    }

    private void record(MemorySegment memory, long h, int id, long w, long d) {
        CustomerTables.H_C_ID.set(memory, h, (short) id);
        CustomerTables.H_C_D_ID.set(memory, h, (byte) customerDistrict);
        CustomerTables.H_C_W_ID.set(memory, h, (short) customerWarehouse);
        CustomerTables.H_D_ID.set(memory, h, (byte) district);
        CustomerTables.H_W_ID.set(memory, h, (short) warehouse);
        CustomerTables.H_DATE.set(memory, h, client.date());
        CustomerTables.H_AMOUNT.set(memory, h, amount);
        // Both names with four blanks between them. A name may be shorter and then ends in zeros, so the blanks follow
        // its length.
        long data = h + CustomerTables.H_DATA.attribute().offset();
        int length = copyName(memory, w + WarehouseTables.W_NAME.attribute().offset(), data);
        for (int i = 0; i < 4; i++) memory.set(ValueLayout.JAVA_BYTE, data + length++, (byte) ' ');
        copyName(memory, d + WarehouseTables.D_NAME.attribute().offset(), data + length);
    }

    private static int copyName(MemorySegment memory, long from, long to) {
        int length = 0;
        for (; length < WarehouseTables.NAME_BYTES; length++) {
            byte letter = memory.get(ValueLayout.JAVA_BYTE, from + length);
            if (letter == 0) break;
            memory.set(ValueLayout.JAVA_BYTE, to + length, letter);
        }
        return length;
    }

    /**
     * Skips payments of an earlier run by a client of this number: searches for the last one and continues after it.
     */
    private boolean skipEarlierRuns(Txn txn) {
        long taken = number;
        long step = 1;
        for (int probe; ; taken += step, step *= 2) {
            probe = txn.read(tables.history, CustomerTables.payment(client.number, taken + step));
            if (!txn.execute()) return false;
            if (!txn.found(probe)) break;
        }
        long free = taken + step;
        while (free - taken > 1) {
            long middle = taken + (free - taken) / 2;
            int probe = txn.read(tables.history, CustomerTables.payment(client.number, middle));
            if (!txn.execute()) return false;
            if (txn.found(probe)) taken = middle;
            else free = middle;
        }
        number = free;
        return true;
    }
}
