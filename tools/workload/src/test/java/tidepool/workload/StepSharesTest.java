package tidepool.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;

/** The traffic of a transaction by the steps of its protocol's table. A verb without a step would be told nowhere. */
class StepSharesTest {
    static Stream<String> protocols() {
        return RoundTrips.protocols().stream();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void stepsOfTheTableMakeUpTheTotals(String protocol) {
        List<Step> table = Protocols.named(protocol).steps();
        for (String fabric : List.of("mem", "sim"))
            for (RoundTrips.Row row : RoundTrips.measure(protocol, fabric)) {
                String name = protocol + " " + fabric + " " + row.shape();
                Traffic all = row.traffic();
                Traffic.Share sum = new Traffic.Share(0, 0, 0, 0, 0, 0, 0, 0);
                for (RoundTrips.StepShare step : row.steps()) {
                    assertTrue(table.contains(step.step()), name + " sends verbs of " + step.step());
                    sum = sum(sum, step.share());
                }
                assertEquals(totals(all), sum, name);
                assertEquals(all.allVerbs(), sum.verbs() + sum.backgroundVerbs(), name);
            }
    }

    /** FORD's table, for a transaction that writes a record and validates another one. */
    @Test
    void stepsOfFord() {
        assertEquals(
                List.of(
                        "lock 1 trips, 6+0 verbs", // and the record that is only read
                        "validate 1 trips, 2+0 verbs",
                        "commit 1 trips, 6+0 verbs",
                        "release 0 trips, 0+3 verbs"),
                steps("ford", 3));
    }

    private static List<String> steps(String protocol, int row) {
        return RoundTrips.measure(protocol, "mem").get(row).steps().stream()
                .map(step -> step.step() + " " + step.share().roundTrips() + " trips, "
                        + step.share().verbs() + "+" + step.share().backgroundVerbs() + " verbs")
                .toList();
    }

    private static Traffic.Share totals(Traffic all) {
        long verbs = 0;
        long background = 0;
        for (VerbKind kind : VerbKind.values()) {
            verbs += all.verbs(kind);
            background += all.backgroundVerbs(kind);
        }
        return new Traffic.Share(
                all.roundTrips(),
                all.asideTrips(),
                verbs,
                all.bytesRead(),
                all.bytesWritten(),
                background,
                all.backgroundBytesRead(),
                all.backgroundBytesWritten());
    }

    private static Traffic.Share sum(Traffic.Share a, Traffic.Share b) {
        return new Traffic.Share(
                a.roundTrips() + b.roundTrips(),
                a.asideTrips() + b.asideTrips(),
                a.verbs() + b.verbs(),
                a.bytesRead() + b.bytesRead(),
                a.bytesWritten() + b.bytesWritten(),
                a.backgroundVerbs() + b.backgroundVerbs(),
                a.backgroundBytesRead() + b.backgroundBytesRead(),
                a.backgroundBytesWritten() + b.backgroundBytesWritten());
    }
}
