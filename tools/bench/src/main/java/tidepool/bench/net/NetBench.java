package tidepool.bench.net;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tidepool.bench.JsonReport;
import tidepool.bench.LineProcess;
import tidepool.bench.TemporaryPool;

/**
 * {@code bench net}: the cost of small messages between two processes by each transport. Both ends are separate
 * processes. In every round each transport has its turn with new processes, so that no idle process disturbs the
 * measured one.
 */
public final class NetBench {
    private static final int HEAP_MEGABYTES = 128;
    private static final int ALLOCATION_TRIPS = 2_000;

    private final NetOptions options;
    private final Consumer<String> progress;
    private final List<NetSeries> series = new ArrayList<>();

    /** @param progress takes the current activity, and an empty line at the end */
    public NetBench(NetOptions options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
        for (String transport : options.transports())
            for (int messages : options.underWay()) series.add(new NetSeries(transport, messages, options.rounds()));
    }

    /** Measures all transports. Waits for all rounds. */
    public List<NetResult> run() {
        try (TemporaryPool place = TemporaryPool.create(1L << 28)) {
            for (int round = 1; round <= options.rounds(); round++)
                for (String transport : options.transports()) {
                    progress.accept("round " + round + " of " + options.rounds() + ": " + transport);
                    measure(transport, place.folder());
                }
        }
        progress.accept("");
        return series.stream().map(NetSeries::result).toList();
    }

    private void measure(String transport, Path folder) {
        try (LineProcess pong = start(folder, transport, PongMain.class, transport);
                LineProcess ping = start(folder, transport, PingMain.class, transport, pong.answer("ready"))) {
            ping.answer("ready");
            for (NetSeries one : series) {
                if (!one.transport().equals(transport)) continue;
                ping.ask("exchange " + options.warmUpMillis() + " " + one.underWay(), "done");
                long cpu = ping.cpuNanos() + pong.cpuNanos();
                String[] done = ping.ask("exchange " + options.millis() + " " + one.underWay(), "done")
                        .split(" ", -1);
                cpu = ping.cpuNanos() + pong.cpuNanos() - cpu;
                String bytes = ping.ask("allocation " + ALLOCATION_TRIPS + " " + one.underWay(), "done");
                one.add(Long.parseLong(done[0]), Long.parseLong(done[1]), cpu);
                one.allocated((double) Long.parseLong(bytes) / ALLOCATION_TRIPS / one.underWay());
            }
        }
    }

    private LineProcess start(Path folder, String name, Class<?> main, String... arguments) {
        return LineProcess.start(name, folder, options.classPath(), HEAP_MEGABYTES, main, arguments);
    }

    public static void print(List<NetResult> results, Consumer<String> out) {
        out.accept(row("transport", "under way", "us/trip", "spread", "messages/s", "CPU ns/msg", "bytes/msg"));
        for (NetResult result : results)
            out.accept(row(
                    result.transport(),
                    Integer.toString(result.underWay()),
                    String.format(Locale.ROOT, "%.2f", result.nanosPerTrip() / 1e3),
                    String.format(Locale.ROOT, "%.0f %%", 100 * result.spread()),
                    String.format(Locale.ROOT, "%,.0f", result.messagesPerSecond()),
                    String.format(Locale.ROOT, "%,.0f", result.cpuNanosPerMessage()),
                    String.format(Locale.ROOT, "%.1f", result.bytesAllocatedPerMessage())));
    }

    private static String row(String... cells) {
        return String.format(Locale.ROOT, "%-18s %9s %10s %8s %12s %10s %10s", (Object[]) cells);
    }

    public static void writeJson(List<NetResult> results, Path file) {
        JsonReport.write(file, "bench net", results, NetBench::write);
    }

    private static void write(JsonGenerator json, NetResult result) throws IOException {
        json.writeStringField("transport", result.transport());
        json.writeNumberField("underWay", result.underWay());
        json.writeNumberField("nanosPerTrip", result.nanosPerTrip());
        json.writeNumberField("spread", result.spread());
        json.writeNumberField("messagesPerSecond", result.messagesPerSecond());
        json.writeNumberField("cpuNanosPerMessage", result.cpuNanosPerMessage());
        json.writeNumberField("bytesAllocatedPerMessage", result.bytesAllocatedPerMessage());
    }
}
