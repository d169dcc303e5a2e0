package tidepool.workload.measured.tpcc;

import java.util.ArrayList;
import java.util.List;
import tidepool.workload.measured.CheckFindings;

/**
 * The consistency conditions of the specification (clause 3.3.2), one method each, by their numbers. Each condition
 * computes its own sums from the rows, so none relies on another.
 */
final class Conditions {
    private final TpccSize size;
    private final TpccFacts facts;
    private CheckFindings findings = new CheckFindings();

    Conditions(TpccSize size, TpccFacts facts) {
        this.size = size;
        this.facts = facts;
    }

    /** Returns all findings. */
    List<String> check() {
        List<Runnable> conditions = List.of(
                this::condition1,
                this::condition2,
                this::condition3,
                this::condition4,
                this::condition5,
                this::condition6,
                this::condition7,
                this::condition8,
                this::condition9,
                this::condition10,
                this::condition11,
                this::condition12);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < conditions.size(); i++) {
            findings = new CheckFindings();
            conditions.get(i).run();
            for (String sentence : findings.list()) all.add("condition " + (i + 1) + ": " + sentence);
        }
        return all;
    }

    /** Clause 3.3.2.1: W_YTD = sum(D_YTD). */
    private void condition1() {
        for (int w = 1; w <= size.warehouses(); w++) {
            long sum = 0;
            for (int d = 1; d <= WarehouseTables.DISTRICTS; d++) sum += facts.district(w, d).ytd;
            findings.same("W_YTD of warehouse " + w + ", against the sum of its D_YTD", sum, facts.ytd[w]);
        }
    }

    /** Clause 3.3.2.2: D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID), the latter if there is any new order. */
    private void condition2() {
        for (DistrictFacts d : facts.districts) {
            findings.same("largest O_ID of " + d + ", against D_NEXT_O_ID - 1", d.next - 1, d.newestOrder());
            if (d.newestNew() > 0)
                findings.same("largest NO_O_ID of " + d + ", against D_NEXT_O_ID - 1", d.next - 1, d.newestNew());
        }
    }

    /** Clause 3.3.2.3: max(NO_O_ID) - min(NO_O_ID) + 1 = number of new orders, if there is any. */
    private void condition3() {
        for (DistrictFacts d : facts.districts) {
            if (d.newestNew() == 0) continue;
            findings.same(
                    "new orders of " + d + ", against max(NO_O_ID) - min(NO_O_ID) + 1",
                    d.newestNew() - d.oldestNew() + 1,
                    d.newOrders());
        }
    }

    /** Clause 3.3.2.4: sum(O_OL_CNT) = number of order lines. */
    private void condition4() {
        for (DistrictFacts d : facts.districts)
            findings.same(
                    "order lines of " + d + ", against the sum of O_OL_CNT", d.sumOf(d.lineCount), d.sumOf(d.lines));
    }

    /** Clause 3.3.2.5: O_CARRIER_ID is null exactly if the order is a new order. */
    private void condition5() {
        for (DistrictFacts d : facts.districts)
            for (int order = 1; order <= d.highest; order++)
                if (d.isOrder[order] && d.hasCarrier[order] == d.isNew[order])
                    findings.add("order " + order + " of " + d + (d.isNew[order] ? " has" : " has no")
                            + " O_CARRIER_ID and is " + (d.isNew[order] ? "a" : "no") + " new order");
    }

    /** Clause 3.3.2.6: O_OL_CNT = number of the order's lines. */
    private void condition6() {
        for (DistrictFacts d : facts.districts)
            for (int order = 1; order <= d.highest; order++)
                if (d.isOrder[order])
                    findings.same(
                            "lines of order " + order + " of " + d + ", against its O_OL_CNT",
                            d.lineCount[order],
                            d.lines[order]);
    }

    /** Clause 3.3.2.7: OL_DELIVERY_D is null exactly if the order's O_CARRIER_ID is. */
    private void condition7() {
        for (DistrictFacts d : facts.districts)
            for (int order = 1; order <= d.highest; order++)
                if (d.isOrder[order])
                    findings.same(
                            "lines with OL_DELIVERY_D of order " + order + " of " + d
                                    + (d.hasCarrier[order] ? ", which has" : ", which has no") + " O_CARRIER_ID",
                            d.hasCarrier[order] ? d.lines[order] : 0,
                            d.linesDelivered[order]);
    }

    /** Clause 3.3.2.8: W_YTD = sum(H_AMOUNT) of the warehouse. */
    private void condition8() {
        for (int w = 1; w <= size.warehouses(); w++)
            findings.same("W_YTD of warehouse " + w + ", against the sum of H_AMOUNT", facts.paid[w], facts.ytd[w]);
    }

    /** Clause 3.3.2.9: D_YTD = sum(H_AMOUNT) of the district. */
    private void condition9() {
        for (DistrictFacts d : facts.districts)
            findings.same("D_YTD of " + d + ", against the sum of H_AMOUNT", d.paid, d.ytd);
    }

    /** Clause 3.3.2.10: C_BALANCE = sum(OL_AMOUNT) delivered to the customer - sum(H_AMOUNT) of the customer. */
    private void condition10() {
        for (DistrictFacts d : facts.districts)
            for (int c = 1; c <= d.customers(); c++)
                findings.same(
                        "C_BALANCE of customer " + c + " of " + d + ", against what he got less what he paid",
                        d.deliveredTo[c] - d.paidBy[c],
                        d.balance[c]);
    }

    /**
     * Clause 3.3.2.11: number of orders - number of new orders = 2100, in an unused database. A delivery makes it one
     * more, and counts in C_DELIVERY_CNT.
     */
    private void condition11() {
        for (DistrictFacts d : facts.districts)
            findings.same(
                    "orders less new orders of " + d + ", against the first " + size.deliveredFirst()
                            + " and the sum of C_DELIVERY_CNT",
                    size.deliveredFirst() + d.sumOf(d.deliveries),
                    d.orders() - d.newOrders());
    }

    /** Clause 3.3.2.12: C_BALANCE + C_YTD_PAYMENT = sum(OL_AMOUNT) delivered to the customer. */
    private void condition12() {
        for (DistrictFacts d : facts.districts)
            for (int c = 1; c <= d.customers(); c++)
                findings.same(
                        "C_BALANCE + C_YTD_PAYMENT of customer " + c + " of " + d + ", against what he got",
                        d.deliveredTo[c],
                        d.balance[c] + d.ytdPayment[c]);
    }
}
