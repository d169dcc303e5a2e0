package tidepool.workload.measured.tpcc;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.Findings;
import tidepool.workload.measured.RowSource;

/**
 * Looks whether a database is consistent: the twelve conditions, the tables that stand for indexes, and what clients have
 * written into their books.
 */
final class TpccCheck {
    private final TpccSize size;
    private final TpccFacts facts;
    private final long[] book;

    TpccCheck(TpccSize size, RowSource rows, long[] book) {
        this.size = size;
        this.facts = new TpccFacts(size, rows);
        this.book = book;
    }

    List<String> check() {
        List<String> all = new ArrayList<>(new Conditions(size, facts).check());
        all.addAll(cursors());
        all.addAll(books());
        return List.copyOf(all);
    }

    /** The tables that stand for indexes lead to where an index would. */
    private List<String> cursors() {
        Findings findings = new Findings();
        for (DistrictFacts d : facts.districts) {
            int oldest = d.oldestNew() > 0 ? d.oldestNew() : d.newestOrder() + 1;
            findings.same("index: oldest new order of " + d, oldest, d.oldest);
            for (int c = 1; c <= d.customers(); c++) {
                findings.same("index: last order of customer " + c + " of " + d, d.lastFound[c], d.lastOrder[c]);
                findings.same("index: lines of it, customer " + c + " of " + d, d.lastFoundLines[c], d.lastLines[c]);
            }
        }
        return findings.list();
    }

    /** What was committed is there, and nothing else. */
    private List<String> books() {
        long districts = size.districts();
        long customers = districts * size.customers();
        long ytd = 0;
        for (long each : facts.ytd) ytd += each;
        long orders = 0;
        long payments = 0;
        long deliveries = 0;
        for (DistrictFacts d : facts.districts) {
            orders += d.orders();
            payments += d.sumOf(d.payments);
            deliveries += d.sumOf(d.deliveries);
        }
        Findings findings = new Findings();
        findings.same("book: orders of the run", book[Books.NEW_ORDERS], orders - customers);
        findings.same("book: sum of S_ORDER_CNT", book[Books.LINES], facts.stockOrders);
        findings.same("book: sum of S_YTD", book[Books.QUANTITY], facts.stockYtd);
        findings.same("book: sum of S_REMOTE_CNT", book[Books.REMOTE_LINES], facts.stockRemotes);
        findings.same("book: payments in the history", book[Books.PAYMENTS], facts.payments);
        findings.same("book: sum of C_PAYMENT_CNT", book[Books.PAYMENTS], payments - customers);
        findings.same("book: growth of W_YTD", book[Books.PAID], ytd - districts * size.paidFirst());
        findings.same("book: sum of C_DELIVERY_CNT", book[Books.DELIVERED], deliveries);
        findings.same("book: rows that committed transactions did not find", 0, book[Books.MISSING]);
        findings.same("rows of the load that are gone", 0, facts.missing);
        return findings.list();
    }
}
