package tidepool.workload.proxy;

import java.util.List;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/**
 * A planted bug: nodes answer one client that a session is revoked, or forgotten, without doing it. Its connections
 * stay, and its frames are carried out when they arrive.
 */
public final class DeafNodes {
    private DeafNodes() {}

    /** Plants the bug for the client of these proxies. */
    public static void plant(List<FaultProxy> proxies) {
        for (FaultProxy proxy : proxies) proxy.alter(DeafNodes::unheard);
    }

    private static ProxiedFrame unheard(ProxiedFrame frame) {
        if (frame.kind() != Frame.CONTROL) return frame;
        long operation = frame.word(0);
        boolean fences = operation == ControlCode.REVOKE || operation == ControlCode.FORGET;
        // An epoch never moves back, so this is answered like a revocation and changes nothing.
        return fences ? frame.withWords(ControlCode.RAISE_EPOCH, 0) : frame;
    }
}
