package tidepool.protocol.fordlv;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.memory.VersionTable;

/**
 * The switches of FORD-LV: how versions are cached.
 *
 * @param vcache which coordinators share a Vcache
 * @param bytes memory of one Vcache
 */
public record FordLvOptions(Sharing vcache, long bytes) {
    /**
     * Which coordinators share a Vcache (§4.7). Every writer of a record uses the one Vcache that may hold its version.
     */
    public enum Sharing {
        /**
         * One process. The first process that writes to a table owns all of it. Writers in other processes are refused.
         */
        LOCAL,
        /** One process for each partition. Requests are sent to the process that owns their partition. */
        PARTITION,
        /**
         * One table for all processes, at one node. A question to it is a trip among the compute nodes, counted apart.
         */
        GLOBAL
    }

    /** Names of the switches in a pool URL. */
    public static final List<String> NAMES = List.of("vcache", "vcachebytes");

    public static final FordLvOptions DEFAULT = new FordLvOptions(Sharing.LOCAL, 16 << 20);

    public FordLvOptions {
        Checks.argument(bytes >= 2 * VersionTable.SET_BYTES, "vcachebytes takes at least 128, not " + bytes);
    }

    /** Reads {@code ?vcache=…&vcachebytes=…}. A switch that is not given has its default. */
    public static FordLvOptions of(FabricUrl url) {
        return new FordLvOptions(url.choice("vcache", DEFAULT.vcache), url.size("vcachebytes", DEFAULT.bytes));
    }
}
