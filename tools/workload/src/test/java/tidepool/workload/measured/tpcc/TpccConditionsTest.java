package tidepool.workload.measured.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each condition detects its own fault, which none of the others would. The conditions overlap, so the faults are those
 * that leave all sums but one in order.
 */
@Timeout(300)
class TpccConditionsTest {
    private static final Pattern NUMBER = Pattern.compile("condition (\\d+): .*");
    private static final int W = 1;
    private static final int D = 3;

    private TpccPool tpcc;
    private long[] book;

    @BeforeEach
    void run() {
        tpcc = new TpccPool();
        book = tpcc.run(0, 7, 1_000).book().clone();
        assertEquals(List.of(), tpcc.check(book));
    }

    @AfterEach
    void close() {
        tpcc.close();
    }

    /** A payment that the warehouse has and none of its districts. */
    @Test
    void condition1() {
        tpcc.change(
                TpccTables.WAREHOUSE,
                WarehouseTables.warehouse(W),
                (memory, row) -> WarehouseTables.W_YTD.set(memory, row, WarehouseTables.W_YTD.get(memory, row) + 5));
        stray(5);
        book[TpccTotals.PAID] += 5;

        assertFails(1);
    }

    /** A number that no order got. */
    @Test
    void condition2() {
        tpcc.change(
                TpccTables.DISTRICT,
                WarehouseTables.district(W, D),
                (memory, row) ->
                        WarehouseTables.D_NEXT_O_ID.set(memory, row, WarehouseTables.D_NEXT_O_ID.get(memory, row) + 1));

        assertFails(2);
    }

    /** An order that is delivered before its turn. */
    @Test
    void condition3() {
        deliver(oldest() + 1, true);

        assertFails(3);
    }

    /** A line of an order that does not exist. */
    @Test
    void condition4() {
        int[] next = new int[1];
        tpcc.look(
                TpccTables.DISTRICT,
                WarehouseTables.district(W, D),
                (memory, row) -> next[0] = WarehouseTables.D_NEXT_O_ID.get(memory, row));
        tpcc.insert(
                TpccTables.ORDER_LINE,
                OrderTables.line(W, D, next[0] + 5, 1),
                (memory, row) -> OrderTables.OL_AMOUNT.set(memory, row, 1));

        assertFails(4);
    }

    /** An old order that was not delivered and that does not wait either. */
    @Test
    void condition5() {
        tpcc.change(
                TpccTables.ORDER,
                OrderTables.order(W, D, 1),
                (memory, row) -> OrderTables.O_CARRIER_ID.set(memory, row, (byte) 0));
        for (int line = 1; line <= lines(1); line++) undate(1, line);

        assertFails(5);
    }

    /** Two orders that have swapped their numbers of lines. */
    @Test
    void condition6() {
        int other = 2;
        while (lines(other) == lines(1)) other++;
        int first = lines(1);
        setLines(1, lines(other));
        setLines(other, first);

        assertFails(6);
    }

    /** A line of a delivered order that was forgotten. */
    @Test
    void condition7() {
        undate(1, 1);

        assertFails(7);
    }

    /** A payment that no warehouse received. */
    @Test
    void condition8() {
        stray(5);

        assertFails(8);
    }

    /** A payment that went to the neighbours. */
    @Test
    void condition9() {
        for (int amount : new int[] {5, -5})
            tpcc.change(
                    TpccTables.DISTRICT,
                    WarehouseTables.district(W, amount > 0 ? D : D + 1),
                    (memory, row) ->
                            WarehouseTables.D_YTD.set(memory, row, WarehouseTables.D_YTD.get(memory, row) + amount));

        assertFails(9);
    }

    /** A customer's payment that no sum contains. */
    @Test
    void condition10() {
        tpcc.change(TpccTables.CUSTOMER, CustomerTables.customer(W, D, 1), (memory, row) -> {
            CustomerTables.C_BALANCE.set(memory, row, CustomerTables.C_BALANCE.get(memory, row) - 5);
            CustomerTables.C_YTD_PAYMENT.set(memory, row, CustomerTables.C_YTD_PAYMENT.get(memory, row) + 5);
        });

        assertFails(10);
    }

    /** A delivery that did not count. */
    @Test
    void condition11() {
        deliver(oldest(), false);

        assertFails(11);
    }

    /** The sum of a customer's payments, and not the balance. */
    @Test
    void condition12() {
        tpcc.change(
                TpccTables.CUSTOMER,
                CustomerTables.customer(W, D, 1),
                (memory, row) -> CustomerTables.C_YTD_PAYMENT.set(
                        memory, row, CustomerTables.C_YTD_PAYMENT.get(memory, row) + 5));

        assertFails(12);
    }

    /** As in the artifact of FORD: the lines are dated in local memory only. */
    @Test
    void deliveryThatDoesNotWriteIsNoticed() {
        int order = oldest() - 1; // it was delivered, and its lines have amounts
        undate(order, 1);

        assertEquals(Set.of(7, 10, 12), failing());
    }

    /** As in the artifacts: a payment overwrites another payment of that customer. */
    @Test
    void paymentThatOverwritesAnotherIsNoticed() {
        tpcc.change(
                TpccTables.HISTORY,
                CustomerTables.payment(0, 3),
                (memory, row) ->
                        CustomerTables.H_AMOUNT.set(memory, row, CustomerTables.H_AMOUNT.get(memory, row) + 5));

        assertEquals(Set.of(8, 9, 10), failing());
    }

    // ---- mistakes

    /** A row of the history that belongs to a warehouse, but to no district and to no customer. */
    private void stray(int amount) {
        tpcc.insert(TpccTables.HISTORY, CustomerTables.payment(1, 0), (memory, row) -> {
            CustomerTables.H_W_ID.set(memory, row, (short) W);
            CustomerTables.H_AMOUNT.set(memory, row, amount);
        });
    }

    private void undate(int order, int line) {
        tpcc.change(
                TpccTables.ORDER_LINE,
                OrderTables.line(W, D, order, line),
                (memory, row) -> OrderTables.OL_DELIVERY_D.set(memory, row, 0));
    }

    private void deliver(int order, boolean counts) {
        int[] customer = new int[1];
        long[] amount = new long[1];
        tpcc.delete(TpccTables.NEW_ORDER, OrderTables.order(W, D, order));
        tpcc.change(TpccTables.ORDER, OrderTables.order(W, D, order), (memory, row) -> {
            OrderTables.O_CARRIER_ID.set(memory, row, (byte) 1);
            customer[0] = OrderTables.O_C_ID.get(memory, row);
        });
        for (int line = 1; line <= lines(order); line++)
            tpcc.change(TpccTables.ORDER_LINE, OrderTables.line(W, D, order, line), (memory, row) -> {
                OrderTables.OL_DELIVERY_D.set(memory, row, 1);
                amount[0] += OrderTables.OL_AMOUNT.get(memory, row);
            });
        tpcc.change(TpccTables.CUSTOMER, CustomerTables.customer(W, D, customer[0]), (memory, row) -> {
            CustomerTables.C_BALANCE.set(memory, row, CustomerTables.C_BALANCE.get(memory, row) + amount[0]);
            if (counts)
                CustomerTables.C_DELIVERY_CNT.set(memory, row, CustomerTables.C_DELIVERY_CNT.get(memory, row) + 1);
        });
        if (counts) book[TpccTotals.DELIVERED]++;
    }

    private int oldest() {
        TpccIndexes indexes = tpcc.client(0, 1).indexes;
        tpcc.transact(txn -> indexes.findOldestNew(txn, W, D));
        return indexes.oldestNew();
    }

    private int lines(int order) {
        int[] found = new int[1];
        tpcc.look(
                TpccTables.ORDER,
                OrderTables.order(W, D, order),
                (memory, row) -> found[0] = OrderTables.O_OL_CNT.get(memory, row));
        return found[0];
    }

    private void setLines(int order, int lines) {
        tpcc.change(
                TpccTables.ORDER,
                OrderTables.order(W, D, order),
                (memory, row) -> OrderTables.O_OL_CNT.set(memory, row, (byte) lines));
    }

    // ---- findings of the check

    private void assertFails(int condition) {
        assertEquals(Set.of(condition), failing());
    }

    private Set<Integer> failing() {
        Set<Integer> numbers = new TreeSet<>();
        for (String sentence : tpcc.check(book)) {
            Matcher matcher = NUMBER.matcher(sentence);
            if (matcher.matches()) numbers.add(Integer.parseInt(matcher.group(1)));
        }
        return numbers;
    }
}
