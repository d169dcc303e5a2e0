package tidepool.workload.measured.tpcc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Randomness;
import tidepool.protocol.Txn;

/**
 * A customer pays (clause 2.5).
 *
 * <pre>
 *   execute 1   only by last name: READ customers of that name
 *   execute 2   UPDATE warehouse, district, customer; INSERT history
 * </pre>
 *
 * The warehouse is what everybody wants, so it is locked last.
 */
final class Payment extends TpccTransaction {
    /** Bytes that a payment of a customer with bad credit puts in front of its data. */
    private static final int NOTE_BYTES = 4 + 2 + 5 + 2 + 5 + 6 + 6;

    private int warehouse;
    private int district;
    private int customerWarehouse;
    private int customerDistrict;
    private int customer;
    private int name;
    private int amount;

    /** Payments of this client in the pool, and so the number of the next one. */
    private long number;

    Payment(TpccClient client) {
        super(client);
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
            int namesakes = txn.read(tables.namesakes, People.name(customerWarehouse, customerDistrict, name));
            if (!txn.execute()) return false;
            id = middle(txn.memory(), txn.value(namesakes));
        }
        int home = txn.update(tables.warehouse, Places.warehouse(warehouse));
        int place = txn.update(tables.district, Places.district(warehouse, district));
        int payer = txn.update(tables.customer, People.customer(customerWarehouse, customerDistrict, id));
        int history = txn.insert(tables.history, People.payment(client.number, number));
        if (!txn.execute()) return false;
        if (txn.found(history)) {
            if (!skipEarlierRuns(txn)) return false;
            history = txn.insert(tables.history, People.payment(client.number, number));
            if (!txn.execute()) return false;
        }

        MemorySegment memory = txn.memory();
        long w = txn.value(home);
        long d = txn.value(place);
        Places.W_YTD.set(memory, w, Places.W_YTD.get(memory, w) + amount);
        Places.D_YTD.set(memory, d, Places.D_YTD.get(memory, d) + amount);
        pay(memory, txn.value(payer), id);
        record(memory, txn.value(history), id, w, d);
        client.count(Books.PAYMENTS, 1);
        client.count(Books.PAID, amount);
        return true;
    }

    private void pay(MemorySegment memory, long c, int id) {
        People.C_BALANCE.set(memory, c, People.C_BALANCE.get(memory, c) - amount);
        People.C_YTD_PAYMENT.set(memory, c, People.C_YTD_PAYMENT.get(memory, c) + amount);
        People.C_PAYMENT_CNT.set(memory, c, People.C_PAYMENT_CNT.get(memory, c) + 1);
        byte credit = memory.get(
                ValueLayout.JAVA_BYTE, c + People.C_CREDIT.attribute().offset());
        if (credit == 'B') noteBadCredit(memory, c + People.C_DATA.attribute().offset(), id);
    }

    /** Customers with bad credit carry their last payments with them; the oldest fall off the end. */
    private void noteBadCredit(MemorySegment memory, long data, int id) {
        MemorySegment.copy(memory, data, memory, data + NOTE_BYTES, People.DATA_BYTES - NOTE_BYTES);
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
        People.H_C_ID.set(memory, h, (short) id);
        People.H_C_D_ID.set(memory, h, (byte) customerDistrict);
        People.H_C_W_ID.set(memory, h, (short) customerWarehouse);
        People.H_D_ID.set(memory, h, (byte) district);
        People.H_W_ID.set(memory, h, (short) warehouse);
        People.H_DATE.set(memory, h, client.date());
        People.H_AMOUNT.set(memory, h, amount);
        // Both names with four blanks between them; a name may be shorter and then ends in zeros, so blanks come first.
        long data = h + People.H_DATA.attribute().offset();
        int length = copyName(memory, w + Places.W_NAME.attribute().offset(), data);
        for (int i = 0; i < 4; i++) memory.set(ValueLayout.JAVA_BYTE, data + length++, (byte) ' ');
        copyName(memory, d + Places.D_NAME.attribute().offset(), data + length);
    }

    private static int copyName(MemorySegment memory, long from, long to) {
        int length = 0;
        for (; length < Places.NAME_BYTES; length++) {
            byte letter = memory.get(ValueLayout.JAVA_BYTE, from + length);
            if (letter == 0) break;
            memory.set(ValueLayout.JAVA_BYTE, to + length, letter);
        }
        return length;
    }

    /** A client of this number has paid here in an earlier run: goes on behind its last payment, which is searched for. */
    private boolean skipEarlierRuns(Txn txn) {
        long taken = number;
        long step = 1;
        for (int probe; ; taken += step, step *= 2) {
            probe = txn.read(tables.history, People.payment(client.number, taken + step));
            if (!txn.execute()) return false;
            if (!txn.found(probe)) break;
        }
        long free = taken + step;
        while (free - taken > 1) {
            long middle = taken + (free - taken) / 2;
            int probe = txn.read(tables.history, People.payment(client.number, middle));
            if (!txn.execute()) return false;
            if (txn.found(probe)) taken = middle;
            else free = middle;
        }
        number = free;
        return true;
    }
}
