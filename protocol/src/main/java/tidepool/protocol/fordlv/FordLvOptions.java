package tidepool.protocol.fordlv;

import java.util.List;
import tidepool.base.Checks;
import tidepool.fabric.FabricUrl;
import tidepool.memory.VersionTable;

/**
 * How versions are cached.
 *
 * @param vcache who shares a Vcache
 * @param bytes memory of one Vcache
 */
public record FordLvOptions(Sharing vcache, long bytes) {
    /** Who shares a Vcache (§4.7). Every writer of a record goes through the one Vcache that may hold its version. */
    public enum Sharing {
        /** One process: the first that writes to a table owns all of it. Writers elsewhere are refused. */
        LOCAL,
        /** One process for each partition: requests are sent where their partition is owned. */
        PARTITION,
        /** One table for all, at one node; asking it is a trip among the compute nodes, counted apart. */
        GLOBAL
    }

    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("vcache", "vcachebytes");

    public static final FordLvOptions DEFAULT = new FordLvOptions(Sharing.LOCAL, 16 << 20);

    public FordLvOptions {
        Checks.argument(bytes >= 2 * VersionTable.SET_BYTES, "vcachebytes takes at least 128, not " + bytes);
    }

    /** Reads {@code ?vcache=…&vcachebytes=…}; what is not given has its default. */
    public static FordLvOptions of(FabricUrl url) {
        return new FordLvOptions(url.choice("vcache", DEFAULT.vcache), url.size("vcachebytes", DEFAULT.bytes));
    }
}
