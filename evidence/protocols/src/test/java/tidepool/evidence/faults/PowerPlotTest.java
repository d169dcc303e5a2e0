package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterFailure;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.PowerPlot.Plot;
import tidepool.evidence.ford.JournalBug;
import tidepool.evidence.ford.PowerBug;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.sim.CrashPoint.When;

/** Scripted losses of power: FORD survives them at every verb, and with one planted bug it does not. */
class PowerPlotTest {
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource
    void everyVerbOfEveryPlot(Plot plot) {
        for (String flush : new String[] {"selective", "full"}) {
            int points = points(plot, () -> Protocols.named("ford?flush=" + flush));
            System.out.println(plot + ", flush=" + flush + ": points " + points);

            assertTrue(points > 20, "points " + points);
        }
    }

    static Stream<Arguments> plotted() {
        return Stream.of(
                Arguments.of(Plot.OVERTAKEN, PowerBug.GUESSED_LOG_IS_BELIEVED),
                Arguments.of(Plot.OVERTAKEN_AND_RECOVERED, PowerBug.RECOVERY_RESTORES_WITHOUT_A_MARK),
                Arguments.of(Plot.RECOVERED, PowerBug.RECOVERY_PUBLISHES_WHAT_IS_NOT_FLUSHED),
                Arguments.of(Plot.RECOVERED, PowerBug.RECOVERY_DOES_NOT_FLUSH_WHAT_IT_RESTORED),
                Arguments.of(Plot.BURIED, PowerBug.RESTART_BLAMES_THE_EARLIER),
                Arguments.of(Plot.LOGS_ARE_LOST, PowerBug.UNDO_LOG_NOT_FLUSHED),
                Arguments.of(Plot.PRIMARIES_ARE_LOST, PowerBug.PRIMARY_IS_A_WITNESS),
                Arguments.of(Plot.KEPT_APART, JournalBug.RECOVERY_ENDS_NO_LOG));
    }

    @ParameterizedTest
    @MethodSource("plotted")
    void isFound(Plot plot, Supplier<Protocol> bug) {
        String found = failure(() -> points(plot, bug));
        System.out.println("| " + bug + " | " + found + " |");

        assertTrue(found != null, bug + " was not found by " + plot);
    }

    private static int points(Plot plot, Supplier<Protocol> protocol) {
        int points = 0;
        for (When when : When.values())
            for (long verb = 0; PowerPlot.play(plot, new Death(verb, when), protocol) != null; verb++) points++;
        return points;
    }

    private static String failure(Runnable what) {
        try {
            what.run();
            return null;
        } catch (ClusterFailure found) {
            return found.getMessage();
        }
    }
}
