package tidepool.lab;

import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;

/** The protocols that come with Tidepool, and those that exist only for figures: no pool outside the lab takes them. */
final class LabProtocols {
    static final String N2O = "motor-n2o";
    static final String O2N = "motor-o2n";
    static final String ANCHORS = "motor-anchors";

    private LabProtocols() {}

    /** The protocol of a name with its switches: {@code motor-n2o?versions=3}. */
    static Protocol named(String text) {
        if (!text.startsWith(N2O) && !text.startsWith(O2N) && !text.startsWith(ANCHORS)) return Protocols.named(text);
        FabricUrl url = FabricUrl.parse("mem:?protocol=" + text.replace('?', '&'));
        int versions = url.integer("versions", 4, 2, 15);
        return text.startsWith(ANCHORS)
                ? new AnchoredMotor(versions)
                : new ChainedMotor(text.startsWith(N2O), versions);
    }
}
