package tidepool.evidence.endurance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.endurance.Endurance;
import tidepool.endurance.EnduranceOptions;
import tidepool.evidence.motor.LeakyMotor;
import tidepool.protocol.Protocols;
import tidepool.protocol.motor.Motor;
import tidepool.testkit.Effort;

/** However long a pool is used, it takes no more memory; and a leak shows. */
class EnduranceTest {
    private static final long UPDATES = Effort.of(100_000, 500_000, 100_000_000);

    private static final int KEYS = 400;

    @Test
    void motorTakesNoMoreMemory() {
        Endurance.Report report = Endurance.run(EnduranceOptions.of(Motor::new, 1, UPDATES), _ -> {});

        assertEquals(List.of(), report.faults());
        assertTrue(report.updates() >= UPDATES, "" + report.updates());
        assertTrue(report.deletes() > UPDATES / 100, "" + report.deletes());
        assertTrue(report.expectedOverflow() > 0, "some chains are longer than a bucket");
        assertTrue(report.census().usage().overflowBuckets() <= report.expectedOverflow());
        assertTrue(
                report.census().usage().rows() < KEYS && report.census().usage().tombstones() > 0);
        // Every row that was changed often has all its versions: bars are as large as what is changed needs.
        assertTrue(
                report.census().usage().versions() > 3 * report.census().usage().rows());
    }

    /** The index belongs to all protocols. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farmv2", "motor?versions=2&isolation=snapshot", "motor?versions=15&bar=8"})
    void othersTakeNoMoreEither(String protocol) {
        Endurance.Report report =
                Endurance.run(EnduranceOptions.of(() -> Protocols.named(protocol), 2, 20_000), _ -> {});

        assertEquals(List.of(), report.faults());
    }

    /** Slots of rows that were deleted are not used again: overflow buckets grow, until there are none. */
    @Test
    void tombstonesThatAreKeptAreNoticed() {
        Endurance.Report report = Endurance.run(EnduranceOptions.of(LeakyMotor::keepingTombstones, 1, 40_000), _ -> {});

        assertTrue(
                report.faults().stream().anyMatch(fault -> fault.matches("overflow buckets: .*|table row is full: .*")),
                report.faults().toString());
    }

    /** A coordinator that asks for memory now and then, and never gives it back. */
    @Test
    void memoryOfACoordinatorIsNoticed() {
        Endurance.Report report = Endurance.run(EnduranceOptions.of(LeakyMotor::askingForMemory, 1, 40_000), _ -> {});

        assertTrue(
                report.faults().stream().anyMatch(fault -> fault.startsWith("bytes of landing memory: ")),
                report.faults().toString());
    }
}
