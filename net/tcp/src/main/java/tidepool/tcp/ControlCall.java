package tidepool.tcp;

/** A control call under way: its request words and its reply. */
final class ControlCall extends PendingReply {
    final long[] words;

    /** A {@link tidepool.wire.ControlStatus}; -1 if there was no reply. */
    int status = -1;

    long[] results = {};
    String text = "";

    ControlCall(long... words) {
        this.words = words;
    }
}
