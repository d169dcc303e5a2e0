package tidepool.workload.measured;

import java.util.Locale;

/** The size of a workload and the rules that it follows. */
public enum Scale {
    /** The setup of the papers' artifacts, for comparison with their figures. */
    PAPER,
    /** The setup of the specification. */
    SPEC;

    /** Returns the scale of that name on the command line. */
    public static Scale named(String text) {
        for (Scale scale : values()) if (scale.text().equals(text)) return scale;
        throw new IllegalArgumentException("scale takes paper or spec, not '" + text + "'");
    }

    /** Returns its name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
