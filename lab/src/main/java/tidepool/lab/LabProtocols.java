package tidepool.lab;

import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;

/** The protocols that come with Tidepool, and those that exist only for figures: no pool outside the lab takes them. */
final class LabProtocols {
    static final String N2O = "motor-n2o";
    static final String O2N = "motor-o2n";

    private LabProtocols() {}

    /** The protocol of a name with its switches: {@code motor-n2o?versions=3}. */
    static Protocol named(String text) {
        if (!text.startsWith(N2O) && !text.startsWith(O2N)) return Protocols.named(text);
        FabricUrl url = FabricUrl.parse("mem:?protocol=" + text.replace('?', '&'));
        return new ChainedMotor(text.startsWith(N2O), url.integer("versions", 4, 2, 15));
    }
}
