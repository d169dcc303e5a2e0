package tidepool.bench.race;

/** What was measured with so many threads, records, objects per transaction, and this distribution of keys. */
record CostPoint(int threads, long records, double zipf, int objects, Standing standing) {
    /** Of one thread, retries included. */
    double nanosPerTransaction() {
        return threads * 1e9 / standing.commitsPerSecond();
    }

    double nanosPerRecord() {
        return nanosPerTransaction() / objects;
    }

    String distribution() {
        return zipf == 0 ? "uniform" : "zipf " + zipf;
    }
}
