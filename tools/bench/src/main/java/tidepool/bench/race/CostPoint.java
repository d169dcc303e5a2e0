package tidepool.bench.race;

/** A measurement with a number of threads, records and objects per transaction, and a distribution of keys. */
record CostPoint(int threads, long records, double zipf, int objects, Standing standing) {
    /** Returns the time of one thread, retries included. */
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
