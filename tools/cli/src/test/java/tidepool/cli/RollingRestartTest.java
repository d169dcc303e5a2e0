package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tidepool.history.Level;
import tidepool.workload.WorkerProcess;
import tidepool.workload.WorkerSite;

/**
 * All nodes of a pool are stopped, or killed, and started again one after the other, by the commands of an operator,
 * while two processes move money and append to lists. Nothing that was acknowledged is lost.
 */
@Timeout(900)
@Tag("full")
@Tag("process")
class RollingRestartTest {
    private static final int WORKERS = 2;

    @Test
    void nothingAcknowledgedIsLostWhileAllNodesAreStartedAgain() throws Exception {
        CommandSite[] made = new CommandSite[1];
        try (WorkerSite workerSite = new WorkerSite(
                (folder, parameters) -> made[0] = new CommandSite(folder, parameters),
                11,
                1,
                1,
                500,
                100,
                5000,
                1500)) {
            workerSite.load();
            List<WorkerProcess> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++)
                workers.add(workerSite.start("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
            for (WorkerProcess worker : workers) worker.awaitReady();
            for (int i = 0; i < CommandSite.NODES; i++) roll(made[0], i, i == 1 ? "KILL" : "TERM", workers);
            for (WorkerProcess worker : workers) worker.stop();

            WorkerSite.SiteFindings findings = workerSite.examine();

            assertTrue(findings.verdict().holds(Level.STRICT_SERIALIZABILITY), () -> findings.verdict()
                    .report());
            assertEquals(List.of(), findings.audit().wrong());
            assertEquals(List.of(), findings.quiet().problems());
        }
    }

    private static void roll(CommandSite site, int number, String signal, List<WorkerProcess> workers)
            throws Exception {
        awaitCommits(workers);
        site.node(number).signal(signal);
        site.node(number).exitCode();
        site.restart(number);
        CommandRun added = CommandRun.of("pool", "add", site.url(), site.name(number));
        // The node may have come back before its loss was noticed, and be taken out a moment later: then it ends, and
        // comes as a new one.
        for (int tries = 0; added.exitCode() != 0 || !site.node(number).isAlive(); tries++) {
            assertTrue(tries < 5, added::toString);
            if (!site.node(number).isAlive()) site.restart(number);
            added = CommandRun.of("pool", "add", site.url(), site.name(number));
        }
        while (CommandRun.of("pool", "status", site.url()).exitCode() != 0) TimeUnit.MILLISECONDS.sleep(100);
        CommandRun status = CommandRun.of("pool", "status", site.url());
        assertEquals(
                CommandSite.NODES,
                status.out().lines().filter(line -> line.contains("lives")).count(),
                status::toString);
    }

    /** Waits for commits of all workers. A load that stands still would lose nothing. */
    private static void awaitCommits(List<WorkerProcess> workers) throws InterruptedException {
        for (WorkerProcess worker : workers) {
            long before = worker.commits();
            while (worker.commits() <= before + 20) {
                assertNull(worker.failure(), worker::complaints);
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
