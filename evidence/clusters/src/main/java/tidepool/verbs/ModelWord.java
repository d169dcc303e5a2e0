package tidepool.verbs;

/**
 * The model of one word that a single strand writes, each time another value. It knows which values the word can have
 * now, and which it can come back to when the power fails.
 *
 * <p>A verb whose effect is unknown flies: it may land at any time until its session is revoked. So its value stays
 * possible, whatever is written afterwards. A READ leaves one value only if nothing flies.
 */
final class ModelWord {
    private final WordSet possible = new WordSet();
    private final WordSet flying = new WordSet();

    /** Possible values of the persistent copy: the value at the last FLUSH that covered it, and every value since. */
    private final WordSet sinceFlush = new WordSet();

    /** The connection on which the word was last written; a FLUSH on another one promises nothing. */
    private long writtenOn = -1;

    ModelWord() {
        possible.add(0);
        sinceFlush.add(0);
    }

    /** Called before the verb is posted: its strand may die while posting. */
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

    /** Called when a READ alone in its round has found this value, which was possible. */
    void seen(long value) {
        if (flying.isEmpty()) possible.becomeOnly(value);
    }

    void flushed(long connection) {
        if (writtenOn == connection) sinceFlush.become(possible);
    }

    /** Called when no verb of the session that wrote the word can land any more. */
    void revoked() {
        flying.clear();
    }

    void powerFailed() {
        possible.addAll(sinceFlush);
        sinceFlush.become(possible);
    }

    /** Returns one of the possible values. */
    long guess() {
        return possible.any();
    }

    /** Returns a copy of the set of values that are possible now. */
    WordSet possible() {
        WordSet copy = new WordSet();
        copy.become(possible);
        return copy;
    }

    @Override
    public String toString() {
        return "possible=" + possible + " flying=" + flying;
    }
}
