package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;

/** Who gets what a {@link Wire} takes in. Called by the reader. */
interface Answers {
    /** For a connection that is asked nothing after its handshake. */
    Answers NONE = new Answers() {
        @Override
        public String land(Wire wire, Flight flight, long head, long tail, MemorySegment memory, int at) {
            return "nothing was asked";
        }

        @Override
        public void lost(Wire wire, Flight flight, Effect effect, Reason reason, String why) {}

        @Override
        public void unsent(Wire wire, Unsent unsent, Reason reason, String why) {}

        @Override
        public void done(Pending pending) {}

        @Override
        public void suspects(long head, MemorySegment memory, int at) {}
    };

    /** Lands the answer of a flight, whose header has these words; null, or what is wrong with it. */
    String land(Wire wire, Flight flight, long head, long tail, MemorySegment memory, int at);

    /** The flight has no answer, and will get none. */
    void lost(Wire wire, Flight flight, Effect effect, Reason reason, String why);

    /** This has waited for room, and is never sent. */
    void unsent(Wire wire, Unsent unsent, Reason reason, String why);

    /** The last answer of this is here, or was given up. */
    void done(Pending pending);

    /** The node suspects somebody. */
    void suspects(long head, MemorySegment memory, int at);
}
