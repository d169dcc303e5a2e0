package tidepool.lab;

import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;

/** The protocols of Tidepool, and those that exist only for figures, which no pool outside the lab accepts. */
final class LabProtocols {
    static final String N2O = "motor-n2o";
    static final String O2N = "motor-o2n";
    static final String ANCHORS = "motor-anchors";
    static final String PUBLISHED_MOTOR = "motor-published";
    static final String PUBLISHED_FORD = "ford-published";
    static final String PUBLISHED_FARM_V2 = "farmv2-published";

    private LabProtocols() {}

    /** Returns the protocol of a name with its switches: {@code motor-n2o?versions=3}. */
    static Protocol named(String text) {
        FabricUrl url = FabricUrl.parse("mem:?protocol=" + text.replace('?', '&'));
        return switch (url.string("protocol", "")) {
            case N2O -> new ChainedMotor(true, versions(url));
            case O2N -> new ChainedMotor(false, versions(url));
            case ANCHORS -> new AnchoredMotor(versions(url));
            case PUBLISHED_MOTOR -> new PublishedMotor(versions(url));
            case PUBLISHED_FARM_V2 -> new PublishedFarmV2(versions(url));
            case PUBLISHED_FORD -> new PublishedFord(url.integer("row", 8, 8, 4096) + 7 & -8);
            default -> Protocols.named(text);
        };
    }

    private static int versions(FabricUrl url) {
        return url.integer("versions", 4, 2, 15);
    }
}
