package tidepool.bench.net;

/** Messages as long as a round of one READ of 8 bytes and its answer ({@code docs/wire.md}): a header each, a verb, a word. */
public final class Message {
    public static final int REQUEST_BYTES = 16 + 24;
    public static final int ANSWER_BYTES = 16 + 8;

    /** The most that are under way at once. */
    public static final int MOST_UNDER_WAY = 128;

    private Message() {}
}
