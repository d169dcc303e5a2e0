package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;

/** Receives the frames that a {@link NodeConnection} takes in. Called by the reader. */
interface FrameListener {
    /** For a connection that sends no request after its handshake. */
    FrameListener NONE = new FrameListener() {
        @Override
        public String land(
                NodeConnection connection, FrameInFlight flight, long head, long tail, MemorySegment memory, int at) {
            return "nothing was asked";
        }

        @Override
        public void lost(NodeConnection connection, FrameInFlight flight, Effect effect, Reason reason, String why) {}

        @Override
        public void unsent(NodeConnection connection, Unsent unsent, Reason reason, String why) {}

        @Override
        public void done(PendingReply pending) {}

        @Override
        public void suspects(long head, MemorySegment memory, int at) {}
    };

    /**
     * Delivers the answer to a flight; {@code head} and {@code tail} are the words of its header. Returns null, or what
     * is wrong with the answer.
     */
    String land(NodeConnection connection, FrameInFlight flight, long head, long tail, MemorySegment memory, int at);

    /** Called when a flight will get no answer. */
    void lost(NodeConnection connection, FrameInFlight flight, Effect effect, Reason reason, String why);

    /** Called when an entry of the backlog will never be sent. */
    void unsent(NodeConnection connection, Unsent unsent, Reason reason, String why);

    /** Called when the last answer of a request has arrived, or the request has failed. */
    void done(PendingReply pending);

    /** Called when the node reports that it suspects sessions, or suspects them no longer. */
    void suspects(long head, MemorySegment memory, int at);
}
