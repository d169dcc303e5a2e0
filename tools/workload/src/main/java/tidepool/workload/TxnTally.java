package tidepool.workload;

import java.util.Arrays;

/** The outcomes of the transactions of one kind in one thread; several tallies can be added up. */
public final class TxnTally {
    private final String name;
    private final CoarseHistogram latency = new CoarseHistogram();
    private long commits;
    private long rolledBack;
    private long gaveUp;
    private long roundTrips;

    public TxnTally(String name) {
        this.name = name;
    }

    static TxnTally[] forEach(Enum<?>[] kinds) {
        return Arrays.stream(kinds)
                .map(kind -> new TxnTally(
                        kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')))
                .toArray(TxnTally[]::new);
    }

    /**
     * Counts a commit and its time since the first attempt began. The trips are those of the attempt that succeeded.
     */
    void committed(long nanos, long trips) {
        commits++;
        roundTrips += trips;
        latency.add(nanos);
    }

    /** Counts a rollback by the application. */
    void rolledBack() {
        rolledBack++;
    }

    /** Counts a transaction that met conflicts until its time-out. */
    void gaveUp() {
        gaveUp++;
    }

    /** Adds the tally of another thread or process. */
    public void add(TxnTally other) {
        commits += other.commits;
        rolledBack += other.rolledBack;
        gaveUp += other.gaveUp;
        roundTrips += other.roundTrips;
        latency.add(other.latency);
    }

    public String name() {
        return name;
    }

    public long commits() {
        return commits;
    }

    public long rollbacks() {
        return rolledBack;
    }

    public long gaveUps() {
        return gaveUp;
    }

    public double roundTripsPerCommit() {
        return commits == 0 ? 0 : (double) roundTrips / commits;
    }

    public CoarseHistogram latency() {
        return latency;
    }

    /** Returns one line for another process. */
    public String text() {
        return name + " " + commits + " " + rolledBack + " " + gaveUp + " " + roundTrips + " " + latency.text();
    }

    public static TxnTally parse(String text) {
        String[] parts = text.split(" ", 6);
        TxnTally tally = new TxnTally(parts[0]);
        tally.commits = Long.parseLong(parts[1]);
        tally.rolledBack = Long.parseLong(parts[2]);
        tally.gaveUp = Long.parseLong(parts[3]);
        tally.roundTrips = Long.parseLong(parts[4]);
        tally.latency.add(CoarseHistogram.parse(parts[5]));
        return tally;
    }
}
