package tidepool.protocol.drtmh;

import java.util.List;
import tidepool.fabric.FabricUrl;

/**
 * The switches of DrTM+H. Coordinators with different switches may share a pool.
 *
 * @param report when the outcome is reported
 */
public record DrtmhOptions(Report report) {
    /** When the outcome is reported. */
    public enum Report {
        /**
         * When all logs are acknowledged: from then on the transaction has happened, whichever session or node fails.
         */
        LOG,
        /** When all images are acknowledged, as the papers count. */
        COMMIT
    }

    /** The switches in a pool URL. */
    public static final List<String> NAMES = List.of("report");

    public static final DrtmhOptions DEFAULT = new DrtmhOptions(Report.LOG);

    /** Reads {@code ?report=…}. */
    public static DrtmhOptions of(FabricUrl url) {
        return new DrtmhOptions(url.choice("report", DEFAULT.report));
    }
}
