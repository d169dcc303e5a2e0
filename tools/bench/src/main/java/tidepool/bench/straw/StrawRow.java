package tidepool.bench.straw;

/** A row, guarded by the lock of its key. */
final class StrawRow {
    final byte[] value;

    /** The last transaction that wrote it; 0 if it was loaded. */
    long writer;

    StrawRow(int bytes, long writer) {
        this.value = new byte[bytes];
        this.writer = writer;
    }
}
