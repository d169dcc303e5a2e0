package tidepool.workload.measured;

import java.util.Locale;

/** How large a workload is and whose rules it follows. */
public enum Scale {
    /** As the artifacts of the papers ran it, for comparison with their figures. */
    PAPER,
    /** As its specification says. */
    SPEC;

    /** By its name on the command line. */
    public static Scale named(String text) {
        for (Scale scale : values()) if (scale.text().equals(text)) return scale;
        throw new IllegalArgumentException("scale takes paper or spec, not '" + text + "'");
    }

    /** Its name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
