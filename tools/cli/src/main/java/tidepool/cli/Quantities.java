package tidepool.cli;

import java.time.Duration;
import java.util.Locale;

/** Formatter of bytes, rates and times for people. */
final class Quantities {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Quantities() {}

    /** {@code 4 GiB}, {@code 1.5 MiB}, {@code 17 B}. */
    static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    private static String bytes(double bytes) {
        int unit = 0;
        double number = bytes;
        while (number >= 1024 && unit < UNITS.length - 1) {
            number /= 1024;
            unit++;
        }
        boolean whole = unit == 0 || number == Math.rint(number) || number >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", number, UNITS[unit]);
    }

    /** Returns a rate with commas, or a dash if it is unknown. */
    static String rate(double perSecond) {
        return perSecond < 0 ? "-" : String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    static String byteRate(double perSecond) {
        return perSecond < 0 ? "-" : bytes(perSecond) + "/s";
    }

    /** {@code 3 d 4 h}, {@code 5 min 6 s}, {@code 7 s}, {@code 8 ms}: the two largest units. */
    static String time(Duration time) {
        if (time.toDays() > 0) return time.toDays() + " d " + time.toHoursPart() + " h";
        if (time.toHours() > 0) return time.toHours() + " h " + time.toMinutesPart() + " min";
        if (time.toMinutes() > 0) return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
