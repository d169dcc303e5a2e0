package tidepool.tcp;

import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.wire.ControlStatus;

/** The outcome of a control call: its result words, or an exception that says why there are none. */
final class ControlResult {
    private ControlResult() {}

    /**
     * Returns the result of a completed call, at least {@code words} words long, or throws the exception for its
     * status.
     */
    static long[] of(ControlCall call, int node, int words) {
        String text = call.text + ": node=" + node;
        switch (call.status) {
            case ControlStatus.DONE -> {
                if (call.results.length >= words) return call.results;
                throw new FabricException(
                        Reason.DISCONNECTED, Effect.UNKNOWN, "the node's reply is too short: node=" + node);
            }
            case -1 ->
                throw new FabricException(
                        Reason.DISCONNECTED, Effect.UNKNOWN, "no reply (" + call.text + "): node=" + node);
            case ControlStatus.KEY -> throw FabricException.refused(Refusal.KEY, text);
            case ControlStatus.ARGUMENT -> throw FabricException.refused(Refusal.BOUNDS, text);
            case ControlStatus.EPOCH -> throw FabricException.refused(Refusal.EPOCH, text);
            case ControlStatus.RIGHT -> throw FabricException.refused(Refusal.RIGHT, text);
            default -> throw FabricException.unavailable(text);
        }
    }
}
