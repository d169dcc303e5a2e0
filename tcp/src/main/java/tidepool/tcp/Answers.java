package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;

/** Who gets what a {@link Wire} takes in. Called by the reader. */
interface Answers {
    /** Lands the answer of a flight; null, or what is wrong with it. */
    String land(int kind, Wire wire, Flight flight, MemorySegment memory, int at, int bytes);

    /** The flight has no answer, and will get none. */
    void lost(Wire wire, Flight flight, Effect effect, Reason reason, String why);

    /** The last answer of this is here, or was given up. */
    void done(Pending pending);

    /** The node suspects somebody. */
    void suspects(Wire wire, MemorySegment memory, int at, int bytes);
}
