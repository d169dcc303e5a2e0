package tidepool.bench.net;

/**
 * Messages of the length of a round of one READ of 8 bytes and its answer ({@code docs/internals/wire.md}): a header
 * each, a verb, a word.
 */
public final class Message {
    public static final int REQUEST_BYTES = 16 + 24;
    public static final int ANSWER_BYTES = 16 + 8;

    /** The highest number of messages under way at once. */
    public static final int MAX_UNDER_WAY = 128;

    private Message() {}
}
