package tidepool.tcp;

/** A control call under way: its words, and what came back. */
final class ControlCall extends Pending {
    final long[] words;

    /** A {@link tidepool.tcp.wire.ControlStatus}; -1 if no answer came. */
    int status = -1;

    long[] results = {};
    String text = "";

    ControlCall(long... words) {
        this.words = words;
    }
}
