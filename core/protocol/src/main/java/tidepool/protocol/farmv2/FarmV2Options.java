package tidepool.protocol.farmv2;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.store.farmv2.ChainLayout;

/**
 * The switches of FaRMv2.
 *
 * @param versions how many versions of each row the tables keep that are created
 */
public record FarmV2Options(int versions) {
    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("versions");

    public static final FarmV2Options DEFAULT = new FarmV2Options(4);

    public FarmV2Options {
        Checks.argument(
                versions >= ChainLayout.MIN_VERSIONS && versions <= ChainLayout.MAX_VERSIONS,
                "versions takes " + ChainLayout.MIN_VERSIONS + " to " + ChainLayout.MAX_VERSIONS + ", not " + versions);
    }

    /** Reads {@code ?versions=…}. */
    public static FarmV2Options of(FabricUrl url) {
        return new FarmV2Options(
                url.integer("versions", DEFAULT.versions, ChainLayout.MIN_VERSIONS, ChainLayout.MAX_VERSIONS));
    }
}
