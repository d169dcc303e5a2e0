package tidepool.workload.recorded;

import java.util.Locale;
import java.util.function.Consumer;

/** The progress line of a run. */
final class ProgressLine {
    private final RecordedOptions options;
    private final Consumer<String> live;

    ProgressLine(RecordedOptions options, Consumer<String> live) {
        this.options = options;
        this.live = live;
    }

    void show(double seconds, long commits, int killed) {
        String dead =
                options.kills() == 0 ? "" : String.format(Locale.ROOT, ", %d of %d killed", killed, options.kills());
        live.accept(String.format(
                Locale.ROOT,
                "%s on %s  %4.1f s  %,d commits%s",
                options.workload(),
                options.fabricName(),
                seconds,
                commits,
                dead));
    }

    void end() {
        live.accept("");
    }
}
