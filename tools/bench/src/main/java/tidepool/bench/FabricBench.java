package tidepool.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** {@code bench fabric}: the cost of a round on each fabric, compared with the machine's cost for equal accesses. */
public final class FabricBench {
    private static final String ROW = "%-6s %-24s %12s %12s %8s %10s %7s  %s";

    private final List<FabricResult> results = new ArrayList<>();
    private final Consumer<String> out;
    private final int samples;
    private final int roundsPerSample;

    /**
     * @param out takes the lines of the table as they are measured
     * @param samples number of samples of which the median is taken
     * @param roundsPerSample number of rounds of which a sample is the mean
     */
    public FabricBench(Consumer<String> out, int samples, int roundsPerSample) {
        this.out = out;
        this.samples = samples;
        this.roundsPerSample = roundsPerSample;
    }

    public void header() {
        out.accept(String.format(
                Locale.ROOT,
                ROW,
                "fabric",
                "operation",
                "ours ns",
                "limit ns",
                "ratio",
                "bytes/rnd",
                "spread",
                "promised"));
    }

    /** Measures a fabric whose verbs the calling thread carries out. */
    public void direct(String name, String url) {
        new DirectBench(name, url, samples, roundsPerSample, this::add).run();
    }

    /** Measures {@code shm} in a pool of its own, which is always removed afterwards. */
    public void shm() {
        try (TemporaryPool pool = TemporaryPool.create(DirectBench.NEEDED_BYTES)) {
            direct("shm", pool.url("nodes=1"));
        }
    }

    /**
     * Measures {@code tcp} on loopback, with processes of its own that end with the measurement.
     *
     * @param classPath of those processes
     */
    public void tcp(String classPath) {
        new TcpBench(samples, roundsPerSample, classPath, this::add).run();
    }

    /** Measures the speed of the simulator, in wall time. */
    public void sim() {
        new SimBench(samples, roundsPerSample, this::add).run();
    }

    /** Prints the last line: whether this run kept all promises. */
    public void verdict() {
        long promised =
                results.stream().filter(result -> !result.bound().isEmpty()).count();
        List<String> broken = results.stream()
                .filter(result -> !result.holds())
                .map(result -> result.fabric() + " " + result.operation())
                .toList();
        out.accept("");
        out.accept(
                broken.isEmpty()
                        ? "All " + promised + " promises were kept in this run."
                        : broken.size() + " of " + promised + " promises were NOT kept in this run: "
                                + String.join(", ", broken) + ".");
    }

    public List<FabricResult> results() {
        return List.copyOf(results);
    }

    public void writeJson(Path file) {
        JsonReport.write(file, "bench fabric", results, FabricBench::write);
    }

    void add(FabricResult result) {
        results.add(result);
        // The table is also read on terminals that show ASCII only.
        String bound = result.bound().replace("≥", ">=");
        String verdict = bound.isEmpty() ? "" : bound + (result.holds() ? "  kept" : "  NOT KEPT");
        out.accept(String.format(
                Locale.ROOT,
                ROW,
                result.fabric(),
                result.operation(),
                number(result.nanosP50()),
                number(result.limitNanosP50()),
                String.format(Locale.ROOT, "%.2f", result.ratio()),
                number(result.bytesAllocatedPerRound()),
                String.format(Locale.ROOT, "%.0f %%", result.spread() * 100),
                verdict));
    }

    private static void write(JsonGenerator json, FabricResult result) throws IOException {
        json.writeStringField("fabric", result.fabric());
        json.writeStringField("operation", result.operation());
        json.writeNumberField("nanosP50", result.nanosP50());
        json.writeNumberField("limitNanosP50", result.limitNanosP50());
        json.writeNumberField("ratio", result.ratio());
        json.writeNumberField("bytesAllocatedPerRound", result.bytesAllocatedPerRound());
        json.writeNumberField("spread", result.spread());
        json.writeStringField("bound", result.bound());
        json.writeBooleanField("holds", result.holds());
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
