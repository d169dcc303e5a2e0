package tidepool.workload.measured.tpcc;

import java.util.Arrays;

/** The contents of the tables about one district, gathered before the conditions are checked. */
final class DistrictFacts {
    final int warehouse;
    final int district;

    /** D_YTD and D_NEXT_O_ID. */
    long ytd;

    int next;

    /** The number in the table of oldest new orders. */
    int oldest;

    /** Payments to this district. */
    long paid;

    /** Values of customers, by number. */
    final long[] balance;

    final long[] ytdPayment;
    final int[] deliveries;
    final int[] payments;
    final int[] lastOrder;
    final int[] lastLines;

    /** Payments of each customer, in any district. */
    final long[] paidBy;

    /** Amounts of the lines that were delivered to each customer. */
    final long[] deliveredTo;

    /** The last order of each customer that was found among the orders, and its lines. */
    final int[] lastFound;

    final int[] lastFoundLines;

    // ---- values of orders, by number
    boolean[] isOrder = new boolean[1024];
    boolean[] isNew = new boolean[1024];
    boolean[] hasCarrier = new boolean[1024];
    byte[] lineCount = new byte[1024];
    byte[] lines = new byte[1024];
    byte[] linesDelivered = new byte[1024];

    /** The largest number found among orders, new orders and lines. */
    int highest;

    DistrictFacts(int warehouse, int district, int customers) {
        this.warehouse = warehouse;
        this.district = district;
        balance = new long[customers + 1];
        ytdPayment = new long[customers + 1];
        deliveries = new int[customers + 1];
        payments = new int[customers + 1];
        lastOrder = new int[customers + 1];
        lastLines = new int[customers + 1];
        paidBy = new long[customers + 1];
        deliveredTo = new long[customers + 1];
        lastFound = new int[customers + 1];
        lastFoundLines = new int[customers + 1];
    }

    void makeRoom(int order) {
        if (order < isOrder.length) return;
        int length = Math.max(order + 1, 2 * isOrder.length);
        isOrder = Arrays.copyOf(isOrder, length);
        isNew = Arrays.copyOf(isNew, length);
        hasCarrier = Arrays.copyOf(hasCarrier, length);
        lineCount = Arrays.copyOf(lineCount, length);
        lines = Arrays.copyOf(lines, length);
        linesDelivered = Arrays.copyOf(linesDelivered, length);
    }

    int customers() {
        return balance.length - 1;
    }

    /** Returns the number of orders. */
    int orders() {
        return count(isOrder);
    }

    /** Returns the number of new orders, which wait for delivery. */
    int newOrders() {
        return count(isNew);
    }

    private int count(boolean[] set) {
        int count = 0;
        for (int order = 1; order <= highest; order++) if (set[order]) count++;
        return count;
    }

    /** Returns the number of the newest order, 0 if there is none. */
    int newestOrder() {
        return newest(isOrder);
    }

    /** Returns the number of the newest new order, 0 if there is none. */
    int newestNew() {
        return newest(isNew);
    }

    private int newest(boolean[] set) {
        for (int order = highest; order > 0; order--) if (set[order]) return order;
        return 0;
    }

    /** Returns the number of the oldest new order, 0 if there is none. */
    int oldestNew() {
        for (int order = 1; order <= highest; order++) if (isNew[order]) return order;
        return 0;
    }

    long sumOf(int[] counts) {
        return Arrays.stream(counts).asLongStream().sum();
    }

    long sumOf(byte[] counts) {
        long sum = 0;
        for (int order = 1; order <= highest; order++) sum += counts[order];
        return sum;
    }

    @Override
    public String toString() {
        return "warehouse " + warehouse + " district " + district;
    }
}
