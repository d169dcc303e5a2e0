package tidepool.workload.measured.tpcc;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.CheckFindings;
import tidepool.workload.measured.RowSource;

/**
 * Checks the consistency of a database: the twelve conditions, the tables that replace indexes, and the books of the
 * clients. {@link tidepool.workload.measured.IndexCheck} compares indexes with their rows.
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
        if (!size.isIndexed()) all.addAll(cursors());
        all.addAll(books());
        return List.copyOf(all);
    }

    /** Checks that the tables that replace indexes hold what an index would. */
    private List<String> cursors() {
        CheckFindings findings = new CheckFindings();
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

    /** Checks that the database holds what was committed, and nothing else. */
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
        CheckFindings findings = new CheckFindings();
        findings.same("book: orders of the run", book[TpccTotals.NEW_ORDERS], orders - customers);
        findings.same("book: sum of S_ORDER_CNT", book[TpccTotals.LINES], facts.stockOrders);
        findings.same("book: sum of S_YTD", book[TpccTotals.QUANTITY], facts.stockYtd);
        findings.same("book: sum of S_REMOTE_CNT", book[TpccTotals.REMOTE_LINES], facts.stockRemotes);
        findings.same("book: payments in the history", book[TpccTotals.PAYMENTS], facts.payments);
        findings.same("book: sum of C_PAYMENT_CNT", book[TpccTotals.PAYMENTS], payments - customers);
        findings.same("book: growth of W_YTD", book[TpccTotals.PAID], ytd - districts * size.paidFirst());
        findings.same("book: sum of C_DELIVERY_CNT", book[TpccTotals.DELIVERED], deliveries);
        findings.same("book: rows that committed transactions did not find", 0, book[TpccTotals.MISSING]);
        findings.same("rows of the load that are gone", 0, facts.missing);
        return findings.list();
    }
}
