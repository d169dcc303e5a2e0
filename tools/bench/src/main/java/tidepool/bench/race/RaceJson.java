package tidepool.bench.race;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tidepool.bench.JsonReport;
import tidepool.workload.measured.MeasuredWorkload;

/** The figures of a race as JSON, one result for each contender. */
final class RaceJson {
    private final RaceResult result;
    private final RaceOptions options;
    private final MeasuredWorkload workload;

    RaceJson(RaceResult result) {
        this.result = result;
        this.options = result.options();
        this.workload = options.newWorkload();
    }

    void write(Path file) {
        JsonReport.write(file, "bench " + workload.name(), result.standings(), this::write);
    }

    private void write(JsonGenerator json, Standing standing) throws IOException {
        json.writeStringField("contender", standing.label());
        json.writeStringField("workload", workload.name());
        json.writeStringField("workloadSettings", workload.settings());
        json.writeStringField("scale", options.scale().text());
        json.writeStringField("settings", standing.settings());
        json.writeStringField("retries", options.retryPolicy());
        json.writeNumberField("threads", options.threads());
        json.writeNumberField("coordinatorsPerThread", options.coordinators());
        json.writeNumberField("rate", options.rate());
        json.writeNumberField("seed", options.seed());
        json.writeNumberField("rounds", standing.rounds().size());
        json.writeNumberField("roundSeconds", options.roundMillis() / 1e3);
        json.writeBooleanField("interrupted", result.wasInterrupted());
        figures(json, standing);
        json.writeBooleanField("checked", standing.wasChecked());
        json.writeArrayFieldStart("wrong");
        for (String wrong : standing.wrong()) json.writeString(wrong);
        json.writeEndArray();
        counts(json, "aborts", standing.aborts());
        counts(json, "events", standing.events());
        types(json, standing);
        json.writeArrayFieldStart("roundsCommitsPerSecond");
        for (RoundResult round : standing.rounds()) json.writeNumber(round.commitsPerSecond());
        json.writeEndArray();
        byRound(json, standing);
    }

    private static void byRound(JsonGenerator json, Standing standing) throws IOException {
        json.writeArrayFieldStart("byRound");
        for (RoundResult round : standing.rounds()) {
            Histogram latency = round.latency();
            json.writeStartObject();
            json.writeNumberField("commitsPerSecond", round.commitsPerSecond());
            json.writeNumberField("p50Micros", micros(latency, 50));
            json.writeNumberField("p99Micros", micros(latency, 99));
            json.writeNumberField("p999Micros", micros(latency, 99.9));
            json.writeNumberField("maxMicros", latency.getMaxValue() / 1e3);
            json.writeNumberField("unserved", round.unserved().latency().getTotalCount());
            json.writeNumberField("cpuMicrosPerTransaction", round.cpuMicrosPerTransaction());
            json.writeNumberField("tableMebibytes", round.events().getOrDefault(RoundTable.GROWTH, 0L));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void figures(JsonGenerator json, Standing standing) throws IOException {
        double[] ratios = result.first().timesAsFastAs(standing);
        Histogram latency = standing.latency();
        json.writeNumberField("commitsPerSecond", standing.commitsPerSecond());
        json.writeNumberField("spread", standing.spread());
        json.writeNumberField("firstToIts", Standing.median(ratios));
        json.writeNumberField("firstToItsLow", ratios[0]);
        json.writeNumberField("firstToItsHigh", ratios[ratios.length - 1]);
        json.writeNumberField("p50Micros", micros(latency, 50));
        json.writeNumberField("p90Micros", micros(latency, 90));
        json.writeNumberField("p99Micros", micros(latency, 99));
        json.writeNumberField("p999Micros", micros(latency, 99.9));
        json.writeNumberField("maxMicros", latency.getMaxValue() / 1e3);
        json.writeNumberField("abortsPerSecond", standing.abortsPerSecond());
        json.writeNumberField("missesPerSecond", standing.perSecond(TxnEnd.MISSED));
        json.writeNumberField("rollbacksPerSecond", standing.perSecond(TxnEnd.ROLLED_BACK));
        json.writeNumberField("abandonedPerSecond", standing.perSecond(TxnEnd.ABANDONED));
        json.writeNumberField("unserved", standing.unserved());
        json.writeNumberField("roundTripsPerTransaction", standing.perTransaction(TypeTally::roundTrips));
        json.writeNumberField("verbsPerTransaction", standing.perTransaction(TypeTally::verbs));
        json.writeNumberField("bytesPerTransaction", standing.perTransaction(TypeTally::bytes));
        json.writeNumberField("bytesAllocatedPerTransaction", standing.bytesAllocatedPerTransaction());
        json.writeNumberField("cpuMicrosPerTransaction", standing.cpuMicrosPerTransaction());
    }

    private static void types(JsonGenerator json, Standing standing) throws IOException {
        json.writeObjectFieldStart("types");
        for (int i = 0; i < standing.types().size(); i++) {
            TypeTally type = standing.type(i);
            json.writeObjectFieldStart(standing.types().get(i));
            for (TxnEnd end : TxnEnd.values()) json.writeNumberField(camel(end.name()), type.count(end));
            json.writeNumberField("p50Micros", micros(type.latency(), 50));
            json.writeNumberField("p99Micros", micros(type.latency(), 99));
            json.writeNumberField("attemptsPerTransaction", type.perTransaction(type.attempts()));
            json.writeNumberField("roundTripsPerTransaction", type.perTransaction(type.roundTrips()));
            json.writeNumberField("verbsPerTransaction", type.perTransaction(type.verbs()));
            json.writeNumberField("bytesPerTransaction", type.perTransaction(type.bytes()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Returns the name in camel case: {@code ROLLED_BACK} is {@code rolledBack}. */
    private static String camel(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.toLowerCase(Locale.ROOT).split("_", -1))
            text.append(text.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        return text.toString();
    }

    private static void counts(JsonGenerator json, String name, Map<String, Long> counts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> count : counts.entrySet()) json.writeNumberField(count.getKey(), count.getValue());
        json.writeEndObject();
    }

    private static double micros(Histogram latency, double percentile) {
        return latency.getValueAtPercentile(percentile) / 1e3;
    }
}
