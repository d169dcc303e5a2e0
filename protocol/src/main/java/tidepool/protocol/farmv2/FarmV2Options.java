package tidepool.protocol.farmv2;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.store.farmv2.ChainLayout;

/**
 * What can be chosen about FaRMv2.
 *
 * @param versions of each row that are kept, of tables that are made
 */
public record FarmV2Options(int versions) {
    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("versions");

    public static final FarmV2Options DEFAULT = new FarmV2Options(4);

    public FarmV2Options {
        Checks.argument(
                versions >= ChainLayout.LEAST_VERSIONS && versions <= ChainLayout.MOST_VERSIONS,
                "versions takes " + ChainLayout.LEAST_VERSIONS + " to " + ChainLayout.MOST_VERSIONS + ", not "
                        + versions);
    }

    /** Reads {@code ?versions=…}. */
    public static FarmV2Options of(FabricUrl url) {
        return new FarmV2Options(
                url.integer("versions", DEFAULT.versions, ChainLayout.LEAST_VERSIONS, ChainLayout.MOST_VERSIONS));
    }
}
