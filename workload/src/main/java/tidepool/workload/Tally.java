package tidepool.workload;

import java.util.Arrays;

/** What became of the transactions of one kind, as one thread saw them; several can be added up. */
public final class Tally {
    private final String name;
    private final Histogram latency = new Histogram();
    private long commits;
    private long rolledBack;
    private long gaveUp;
    private long roundTrips;

    public Tally(String name) {
        this.name = name;
    }

    static Tally[] forEach(Enum<?>[] kinds) {
        return Arrays.stream(kinds)
                .map(kind ->
                        new Tally(kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')))
                .toArray(Tally[]::new);
    }

    /** It committed, so long after its first attempt began; the trips are those of the attempt that succeeded. */
    void committed(long nanos, long trips) {
        commits++;
        roundTrips += trips;
        latency.add(nanos);
    }

    /** The application wanted it so. */
    void rolledBack() {
        rolledBack++;
    }

    /** Others stood in the way until the time was up. */
    void gaveUp() {
        gaveUp++;
    }

    /** Adds what another thread or process saw. */
    public void add(Tally other) {
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

    public Histogram latency() {
        return latency;
    }

    /** One line, for another process. */
    public String text() {
        return name + " " + commits + " " + rolledBack + " " + gaveUp + " " + roundTrips + " " + latency.text();
    }

    public static Tally parse(String text) {
        String[] parts = text.split(" ", 6);
        Tally tally = new Tally(parts[0]);
        tally.commits = Long.parseLong(parts[1]);
        tally.rolledBack = Long.parseLong(parts[2]);
        tally.gaveUp = Long.parseLong(parts[3]);
        tally.roundTrips = Long.parseLong(parts[4]);
        tally.latency.add(Histogram.parse(parts[5]));
        return tally;
    }
}
