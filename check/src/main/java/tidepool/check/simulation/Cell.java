package tidepool.check.simulation;

/**
 * The model of one word that a single strand writes, each time another value. It knows which values the word can have
 * now, and which it can come back to when the power fails.
 *
 * <p>A verb whose effect is unknown flies: it may land at any time until its session is revoked. So its value stays
 * possible, whatever is written afterwards. A READ leaves one value only if nothing flies.
 */
final class Cell {
    private final Values possible = new Values();
    private final Values flying = new Values();

    /** What the persistent copy can be: the value at the last FLUSH that covered it, and everything since. */
    private final Values sinceFlush = new Values();

    /** On which connection it was last written; a FLUSH on another one promises nothing. */
    private long writtenOn = -1;

    Cell() {
        possible.add(0);
        sinceFlush.add(0);
    }

    /** Before it is posted: its strand may die while posting. */
    void attempt(long value) {
        possible.add(value);
        sinceFlush.add(value);
    }

    void written(long value, long connection) {
        possible.becomeOnly(value);
        possible.addAll(flying);
        writtenOn = connection;
    }

    void unknown(long value) {
        flying.add(value);
    }

    void notDone(long value) {
        if (!flying.contains(value)) possible.remove(value);
    }

    boolean allows(long value) {
        return possible.contains(value);
    }

    /** A READ by itself has found this value, which was possible. */
    void seen(long value) {
        if (flying.isEmpty()) possible.becomeOnly(value);
    }

    void flushed(long connection) {
        if (writtenOn == connection) sinceFlush.become(possible);
    }

    /** Nothing of the session that wrote it can land any more. */
    void revoked() {
        flying.clear();
    }

    void powerFailed() {
        possible.addAll(sinceFlush);
        sinceFlush.become(possible);
    }

    /** One of the values it can have. */
    long guess() {
        return possible.any();
    }

    /** The values it can have now; a copy. */
    Values possible() {
        Values copy = new Values();
        copy.become(possible);
        return copy;
    }

    @Override
    public String toString() {
        return "possible=" + possible + " flying=" + flying;
    }
}
